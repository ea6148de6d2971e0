package io.lakestream.cdc.write;

import io.lakestream.cdc.decode.SchemaChangedException;
import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.position.CapturedTable;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
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

  /**
   * Adds a table to write.
   *
   * @param copying true where its rows are still to be copied, or some of them
   */
  public void add(SourceTable table, LiveTable live, MissingValues missingValues, boolean copying) {
    boolean hasHoles = progress.holes().contains(table.display());
    TableCapture capture =
        new TableCapture(tables, table, live, pending, missingValues, hasHoles, copying);
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
    pause(
        capture,
        PauseReasons.withWayOut(
            capture.table().definition().name().source(), capture.table().display(), why));
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

  /** Fluss's IDs of all tables. */
  Set<Long> ids() {
    return byDisplay.values().stream()
        .map(capture -> capture.live().tableId())
        .collect(Collectors.toSet());
  }

  PendingWrites pending() {
    return pending;
  }

  Optional<TableCapture> find(String display) {
    return Optional.ofNullable(byDisplay.get(display));
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

  /** End offsets of every bucket of the whole tables, by Fluss; also those without changes. */
  Map<TableBucket, Long> endOffsets() {
    Map<TableBucket, Long> endOffsets = new HashMap<>();
    byDisplay.values().stream()
        .filter(capture -> !capture.isCopying())
        .forEach(capture -> endOffsets.putAll(endOffsets(capture)));
    return endOffsets;
  }

  /** End offsets of every bucket of one table, by Fluss. */
  Map<TableBucket, Long> endOffsets(TableCapture capture) {
    LiveTable live = capture.live();
    Map<TableBucket, Long> endOffsets = new HashMap<>();
    tables
        .endOffsets(live.path(), live.definition().buckets())
        .forEach(
            (bucket, offset) -> endOffsets.put(new TableBucket(live.tableId(), bucket), offset));
    return endOffsets;
  }

  /** Tables that are not whole yet. */
  List<TableCapture> copying() {
    return byDisplay.values().stream().filter(TableCapture::isCopying).toList();
  }

  /** Remembers, durably, that a table's copy is whole. */
  void copied(TableCapture capture) {
    progress.update(capture.table().display(), CapturedTable::whole);
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
