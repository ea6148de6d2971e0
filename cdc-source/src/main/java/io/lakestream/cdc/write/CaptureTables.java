package io.lakestream.cdc.write;

import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.position.CapturedTable;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.tables.change.Cut;
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
   * What was done with a table before a session.
   *
   * @param copying true where rows of it are still to be copied
   * @param since what every reading of its copy has seen, where the source may send changes of that
   * @param added by column that was added in place: what was visible then, where the source may
   *     send changes of that
   */
  public record Before(
      boolean copying, Optional<TableCopy.Seen> since, Map<String, TableCopy.Seen> added) {}

  /** Adds a table to write. */
  public void add(SourceTable table, LiveTable live, MissingValues missingValues, Before before) {
    boolean hasHoles = progress.holes().contains(table.display());
    TableCapture capture =
        new TableCapture(tables, table, live, pending, missingValues, hasHoles, before);
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

  /**
   * Pauses a table, so that nothing of it is written any more; false where it is not captured or
   * paused already. Any thread.
   *
   * @param change why what it holds is no longer right, so that it is to be copied anew where its
   *     changes are followed; empty where somebody has to look first
   */
  public boolean pause(String display, String why, String change) {
    TableCapture capture = byDisplay.get(display);
    if (capture == null || capture.isPaused()) {
      return false;
    }
    pause(
        capture,
        PauseReasons.withWayOut(
            capture.table().definition().name().source(), capture.table().display(), why),
        change);
    return true;
  }

  /** Why a table is paused; empty where it is captured, or unknown. Any thread. */
  public String pauseReason(String display) {
    TableCapture capture = byDisplay.get(display);
    return capture == null ? "" : capture.pauseReason();
  }

  void pause(TableCapture capture, String reason, String change) {
    // Kept before it takes effect: a restart must not go on writing the table.
    progress.update(capture.table().display(), t -> t.paused(reason).changed(change));
    capture.pause(reason);
  }

  /** Remembers, durably, that the next session has to copy a table anew. Any thread. */
  public void change(String display, String why) {
    progress.update(display, t -> t.changed(why));
  }

  /** How many copies of a table have begun since one became whole. */
  int attempts(TableCapture capture) {
    return progress.table(capture.table().display()).map(t -> t.copy().attempts()).orElse(0);
  }

  void rememberHoles(TableCapture capture) {
    if (!capture.hasHoles()) {
      progress.addHoles(capture.table().display());
    }
  }

  /** The tables that a cut names: those that are whole and written. */
  List<TableCapture> whole() {
    return byDisplay.values().stream()
        .filter(capture -> !capture.isCopying() && !capture.isPaused())
        .toList();
  }

  /** The tables that are no longer written. */
  List<TableCapture> paused() {
    return byDisplay.values().stream().filter(TableCapture::isPaused).toList();
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

  /** True where the table in the source's catalog is still the one that was registered. */
  boolean isUnchanged(SourceTable table) {
    return current
        .apply(table)
        .filter(t -> t.fingerprint().equals(table.fingerprint()))
        .isPresent();
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

  /** Tables that are written and not whole yet. */
  List<TableCapture> copying() {
    return byDisplay.values().stream()
        .filter(capture -> capture.isCopying() && !capture.isPaused())
        .toList();
  }

  /** Makes a table the one that is read under its name, and drops those before it. */
  void goLive(TableCapture capture) {
    LiveTable live = tables.generations().goLive(capture.live());
    capture.changed(live);
    for (LiveTable other : tables.generations().of(live.definition().name())) {
      if (other.generation().number() < live.generation().number()) {
        tables.generations().drop(other);
      }
    }
  }

  /** Notes that no cut behind this one names a table. */
  void keepLastCut(TableCapture capture, Cut cut) {
    capture.changed(tables.generations().keepLastCut(capture.live(), cut));
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
