package io.lakestream.tables.system;

import static io.lakestream.tables.error.Checks.checkProtocol;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.LogRangeReader;
import io.lakestream.tables.change.OffsetRange;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.FlussCalls;
import io.lakestream.tables.ddl.FlussTables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.client.table.writer.AppendWriter;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TablePath;

/**
 * The cuts of one source, in a Fluss log table of its own.
 *
 * <p>An entry names the buckets that moved since the entry before; every {@value #FULL_EVERY}th
 * names all, and so does the first without a table that the one before had. A cut is found by
 * reading back to the nearest full entry and merging forward from there. One writer per source
 * (capture's lease), any number of readers. An instance is for one thread.
 */
public final class CutLog implements AutoCloseable {
  static final int FULL_EVERY = 100;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String source;
  private final FlussTables tables;
  private final TablePath path;
  private final Table table;
  private final AppendWriter writer;
  // The newest cut that this instance has seen and the log offset of its entry: what is appended or
  // read next merges into it.
  private Cut newest;
  private long newestOffset = -1;
  // True where this instance wrote the newest entry itself.
  private boolean settled;

  private CutLog(String source, FlussTables tables, TablePath path) {
    this.source = source;
    this.tables = tables;
    this.path = path;
    this.table = tables.openTable(path);
    this.writer = table.newAppend().createWriter();
  }

  /** Opens the cut log of a source and creates it where it is missing. */
  public static CutLog open(FlussTables tables, String source) {
    TablePath path = SystemTables.ensureLog(tables, "cuts_" + source, CutEntry.FIELDS);
    return new CutLog(source, tables, path);
  }

  /**
   * Appends a cut; durable on return.
   *
   * @param position of the last transaction inside; must not lie before the newest cut's
   * @param sourceTime that transaction's commit time
   * @param moved end offsets of the buckets that changed since the newest cut
   * @param wholeTableIds tables that are whole at this cut: it names no others
   */
  public Cut append(
      SourcePosition position,
      Instant sourceTime,
      Map<TableBucket, Long> moved,
      Set<Long> wholeTableIds) {
    Cut before = settled ? newest : latest().orElse(null);
    checkProtocol(
        before == null || position.covers(before.position()),
        "Cut at %s would lie before the newest cut of source %s at %s",
        position,
        source,
        before == null ? null : before.position());
    long sequence = before == null ? 0 : before.sequence() + 1;
    Map<TableBucket, Long> merged = new HashMap<>(before == null ? Map.of() : before.endOffsets());
    merged.putAll(moved);
    boolean leaves =
        merged.keySet().removeIf(bucket -> !wholeTableIds.contains(bucket.getTableId()));
    boolean full = leaves || sequence % FULL_EVERY == 0;
    Cut cut = new Cut(source, sequence, position, sourceTime, merged);
    settled = false;
    var appended = writer.append(CutEntry.row(cut, full, full ? merged : moved));
    SystemTables.finish(writer, appended, "append a cut of source " + source);
    // Only now: after an append of unknown outcome the next call reads what the log really holds.
    settled = true;
    newest = cut;
    newestOffset++;
    return cut;
  }

  /** The newest cut; empty before the first. */
  public Optional<Cut> latest() {
    long last = tables.endOffsets(path, 1).get(0) - 1;
    if (newest == null) {
      newest = cutAt(last).orElse(null);
    } else if (last > newestOffset) {
      newest = merge(newest.endOffsets(), readEntries(newestOffset + 1, last + 1));
    }
    newestOffset = last;
    return Optional.ofNullable(newest);
  }

  /** The newest cut at or before {@code position}; empty where no kept cut lies there. */
  public Optional<Cut> latestAtOrBefore(SourcePosition position) {
    long low = tables.startOffsets(path, 1).get(0); // invariant: cuts below low are at or before
    long high = tables.endOffsets(path, 1).get(0); // invariant: cuts from high on are behind
    long first = low;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (position.covers(readEntries(middle, middle + 1).get(0).position())) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == first ? Optional.empty() : cutAt(low - 1);
  }

  /** Reads the cut that the entry at a log offset stands for. */
  private Optional<Cut> cutAt(long offset) {
    long start = tables.startOffsets(path, 1).get(0);
    long reach = FULL_EVERY;
    while (offset >= start) {
      long from = Math.max(start, offset - reach);
      List<CutEntry> entries = readEntries(from, offset + 1);
      if (entries.stream().anyMatch(CutEntry::full)) {
        return Optional.of(merge(Map.of(), entries));
      }
      if (from == start) {
        break;
      }
      reach *= 2;
    }
    return Optional.empty();
  }

  // A full entry stands for itself, any other for what came before with its own buckets moved on.
  private Cut merge(Map<TableBucket, Long> before, List<CutEntry> entries) {
    Map<TableBucket, Long> endOffsets = new HashMap<>(before);
    for (CutEntry entry : entries) {
      if (entry.full()) {
        endOffsets.clear();
      }
      endOffsets.putAll(entry.endOffsets());
    }
    CutEntry last = entries.get(entries.size() - 1);
    return new Cut(source, last.sequence(), last.position(), last.sourceTime(), endOffsets);
  }

  private List<CutEntry> readEntries(long start, long stop) {
    List<CutEntry> entries = new ArrayList<>();
    try (LogRangeReader reader =
        LogRangeReader.open(table, Map.of(0, new OffsetRange(start, stop)), PATIENCE)) {
      while (!reader.isFinished()) {
        for (ScanRecord change : reader.poll().getOrDefault(0, List.of())) {
          entries.add(CutEntry.of(change.getRow()));
        }
      }
    }
    return entries;
  }

  @Override
  public void close() {
    FlussCalls.close(table, path.toString());
  }
}
