package io.lakestream.tables.change;

import static io.lakestream.tables.error.Checks.checkProtocol;

import io.lakestream.tables.ddl.FlussCalls;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.client.table.scanner.log.LogScanner;
import org.apache.fluss.client.table.scanner.log.ScanRecords;
import org.apache.fluss.exception.FetchException;
import org.apache.fluss.exception.LogOffsetOutOfRangeException;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.row.ProjectedRow;

/**
 * Reads given ranges of a table's log, each bucket to its stop offset and not further.
 *
 * <p>Changes of a bucket come in log order; −U records come too. The stop offsets must not lie
 * beyond the end of the log. For one thread.
 */
public final class LogRangeReader implements AutoCloseable {
  private static final int FIRST_SCHEMA = 1;
  private static final Duration POLL = Duration.ofMillis(100);

  private final String table;
  private final long tableId;
  private final LogScanner scanner;
  private final Duration patience;
  // To be picked here, where the server does not.
  private final Optional<int[]> columns;
  // Buckets that have not reached their stop offset.
  private final Map<Integer, Long> stops = new TreeMap<>();

  private LogRangeReader(
      String table, long tableId, LogScanner scanner, Duration patience, Optional<int[]> columns) {
    this.columns = columns;
    this.table = table;
    this.tableId = tableId;
    this.scanner = scanner;
    this.patience = patience;
  }

  /**
   * Starts reading.
   *
   * @param table open until the reader is closed; its own thread's handle
   * @param ranges per bucket; empty ranges are skipped
   * @param patience how long the log may give nothing before the read fails with FLUSS_FAILED
   */
  public static LogRangeReader open(
      Table table, Map<Integer, OffsetRange> ranges, Duration patience) {
    return open(table, table.newScan().createLogScanner(), ranges, patience, Optional.empty());
  }

  /**
   * Starts reading some columns only; the server sends no others, unless columns were added to the
   * table.
   *
   * @param columns indexes of the columns, in the order that the rows shall have
   */
  public static LogRangeReader open(
      Table table, Map<Integer, OffsetRange> ranges, Duration patience, int[] columns) {
    // The server refuses to project entries from before a column was added.
    return table.getTableInfo().getSchemaId() > FIRST_SCHEMA
        ? open(table, table.newScan().createLogScanner(), ranges, patience, Optional.of(columns))
        : open(
            table,
            table.newScan().project(columns).createLogScanner(),
            ranges,
            patience,
            Optional.empty());
  }

  private static LogRangeReader open(
      Table table,
      LogScanner scanner,
      Map<Integer, OffsetRange> ranges,
      Duration patience,
      Optional<int[]> columns) {
    LogRangeReader reader =
        new LogRangeReader(
            table.getTableInfo().getTablePath().toString(),
            table.getTableInfo().getTableId(),
            scanner,
            patience,
            columns);
    ranges.forEach(
        (bucket, range) -> {
          if (!range.isEmpty()) {
            scanner.subscribe(bucket, range.start());
            reader.stops.put(bucket, range.stop());
          }
        });
    return reader;
  }

  /** True once every bucket has reached its stop offset. */
  public boolean isFinished() {
    return stops.isEmpty();
  }

  /**
   * Reads on. Blocks until there are changes, or a bucket reaches its stop.
   *
   * @return changes per bucket, possibly empty; empty for good once {@link #isFinished}
   * @throws LakestreamException LOG_TRUNCATED where the log no longer has an offset of the range;
   *     FLUSS_FAILED where nothing came within the patience
   */
  public Map<Integer, List<ScanRecord>> poll() {
    Map<Integer, List<ScanRecord>> changes = new TreeMap<>();
    long deadline = System.nanoTime() + patience.toNanos();
    int unfinished = stops.size();
    while (!stops.isEmpty() && changes.isEmpty() && stops.size() == unfinished) {
      ScanRecords records = fetch();
      for (TableBucket bucket : records.buckets()) {
        collect(bucket.getBucket(), records.records(bucket), changes);
      }
      retireFinishedBuckets();
      if (records.isEmpty() && System.nanoTime() > deadline) {
        throw new LakestreamException(
            ErrorCode.FLUSS_FAILED,
            "Cannot read the log of %s: nothing arrived for %s s with buckets %s unfinished",
            table,
            patience.toSeconds(),
            stops.keySet());
      }
    }
    return changes;
  }

  private void collect(
      int bucket, List<ScanRecord> records, Map<Integer, List<ScanRecord>> changes) {
    Long stop = stops.get(bucket);
    if (stop == null) {
      return; // a fetch that was under way when the bucket reached its stop
    }
    List<ScanRecord> inside = new ArrayList<>(records.size());
    for (ScanRecord change : records) {
      if (change.logOffset() < stop) {
        inside.add(columns.map(picked -> pick(change, picked)).orElse(change));
      }
    }
    if (!inside.isEmpty()) {
      changes.put(bucket, inside);
    }
  }

  private static ScanRecord pick(ScanRecord change, int[] columns) {
    return new ScanRecord(
        change.logOffset(),
        change.timestamp(),
        change.getChangeType(),
        ProjectedRow.from(columns).replaceRow(change.getRow()));
  }

  // By position, not by record: the last offsets of a range may hold no record at all.
  private void retireFinishedBuckets() {
    List<Integer> finished = new ArrayList<>();
    stops.forEach(
        (bucket, stop) -> {
          if (ScannedPosition.of(scanner, new TableBucket(tableId, bucket)) >= stop) {
            finished.add(bucket);
          }
        });
    for (Integer bucket : finished) {
      scanner.unsubscribe(bucket);
      stops.remove(bucket);
    }
  }

  private ScanRecords fetch() {
    try {
      return scanner.poll(POLL);
    } catch (FetchException e) {
      if (isOutOfRange(e)) {
        throw new LakestreamException(
            e,
            ErrorCode.LOG_TRUNCATED,
            "Cannot read the log of %s: offsets of the range are no longer kept (%s)",
            table,
            ErrorText.of(e));
      }
      throw new LakestreamException(
          e, ErrorCode.FLUSS_FAILED, "Cannot read the log of %s: %s", table, ErrorText.of(e));
    }
  }

  // Fluss 0.9.1 names the cause only in the message.
  private static boolean isOutOfRange(FetchException e) {
    return e.getCause() instanceof LogOffsetOutOfRangeException
        || String.valueOf(e.getMessage()).contains("is out of range");
  }

  /** Checks that nothing is left. Call after the last poll. */
  public void verifyFinished() {
    checkProtocol(stops.isEmpty(), "Read of %s ended before buckets %s", table, stops.keySet());
  }

  @Override
  public void close() {
    FlussCalls.close(scanner, "the log scanner of " + table);
  }
}
