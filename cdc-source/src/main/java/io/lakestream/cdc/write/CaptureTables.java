package io.lakestream.cdc.write;

import io.lakestream.cdc.decode.SchemaChangedException;
import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.fluss.metadata.TableBucket;

/**
 * The tables that one capture session writes. For one thread, but where a method says otherwise.
 */
public final class CaptureTables implements AutoCloseable {
  private final FlussTables tables;
  private final CaptureProgress progress;
  private final Function<SourceTable, Optional<SourceTable>> current;
  private final PendingWrites pending = new PendingWrites();
  private final Map<String, Map<String, TableCapture>> bySchema = new HashMap<>();
  private final Map<String, TableCapture> byDisplay = new LinkedHashMap<>();

  /**
   * Starts without tables.
   *
   * @param current reads a table from the source's catalog as it is now; empty where it is gone or
   *     can no longer be captured
   */
  public CaptureTables(
      FlussTables tables,
      CaptureProgress progress,
      Function<SourceTable, Optional<SourceTable>> current) {
    this.tables = tables;
    this.progress = progress;
    this.current = current;
  }

  /** Adds a table to write. */
  public void add(SourceTable table, LiveTable live, MissingValues missingValues) {
    boolean hasHoles = progress.holes().contains(table.display());
    TableCapture capture = new TableCapture(tables, table, live, pending, missingValues, hasHoles);
    bySchema
        .computeIfAbsent(table.definition().name().schema(), schema -> new HashMap<>())
        .put(table.definition().name().table(), capture);
    byDisplay.put(table.display(), capture);
  }

  /** Counts per {@code <schema>.<table>}. Safe for any thread. */
  public Map<String, TableChanges> changes() {
    Map<String, TableChanges> changes = new TreeMap<>();
    byDisplay.forEach((display, capture) -> changes.put(display, capture.changes()));
    return changes;
  }

  /** Pauses a table for good; false where it is not captured or paused already. Any thread. */
  public boolean pause(String display, String why) {
    TableCapture capture = byDisplay.get(display);
    if (capture == null || capture.isPaused()) {
      return false;
    }
    pause(capture, PauseReasons.withWayOut(capture.table(), why));
    return true;
  }

  /** Why a table is paused; empty where it is captured, or unknown. Any thread. */
  public String pauseReason(String display) {
    TableCapture capture = byDisplay.get(display);
    return capture == null ? "" : capture.pauseReason();
  }

  void pause(TableCapture capture, String reason) {
    // Kept before it takes effect: a restart must not go on writing the table.
    progress.pause(capture.table().display(), reason);
    capture.pause(reason);
  }

  void rememberHoles(TableCapture capture) {
    if (!capture.hasHoles()) {
      progress.addHoles(capture.table().display());
    }
  }

  Collection<TableCapture> all() {
    return byDisplay.values();
  }

  PendingWrites pending() {
    return pending;
  }

  Optional<TableCapture> find(String schema, String table) {
    return Optional.ofNullable(bySchema.getOrDefault(schema, Map.of()).get(table));
  }

  /** Checks that the table in the source's catalog is still the one that was copied. */
  void verifyUnchanged(SourceTable table) throws SchemaChangedException {
    Optional<SourceTable> now = current.apply(table);
    if (now.isEmpty()) {
      throw new SchemaChangedException("it was dropped, or can no longer be captured");
    }
    if (!now.get().fingerprint().equals(table.fingerprint())) {
      throw new SchemaChangedException("its columns or its key changed, or it was made anew");
    }
  }

  /** End offsets of every bucket, by Fluss. */
  Map<TableBucket, Long> endOffsets() {
    Map<TableBucket, Long> endOffsets = new HashMap<>();
    for (TableCapture capture : byDisplay.values()) {
      LiveTable live = capture.live();
      tables
          .endOffsets(live.path(), live.definition().buckets())
          .forEach(
              (bucket, offset) -> {
                if (offset > 0) {
                  endOffsets.put(new TableBucket(live.tableId(), bucket), offset);
                }
              });
    }
    return endOffsets;
  }

  /** {@code <schema>.<table>} of all tables. Any thread. */
  public Set<String> names() {
    return byDisplay.keySet();
  }

  @Override
  public void close() {
    byDisplay.values().forEach(TableCapture::close);
  }
}
