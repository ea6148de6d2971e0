package io.lakestream.union.read;

import io.lakestream.tables.change.LogRangeReader;
import io.lakestream.tables.change.OffsetRange;
import io.lakestream.tables.ddl.FlussCalls;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.lake.LakeLayout;
import io.lakestream.union.plan.Planner;
import io.lakestream.union.plan.ReadPlan;
import io.lakestream.union.plan.ReadToken;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.record.ChangeType;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;

/** Carries out one plan: the tail into memory, then the lake past it. */
public final class UnionScan {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final FlussTables tables;
  private final Planner planner;
  private final ReadPlan plan;
  private final LiveTable live;
  private final Optional<Table> lake;

  private UnionScan(FlussTables tables, Planner planner, ReadPlan plan) {
    this.tables = tables;
    this.planner = planner;
    this.plan = plan;
    this.live = planner.requireSameTable(plan.token());
    this.lake =
        plan.token().lakeSnapshotId().isPresent()
            ? Optional.of(planner.requireLake(plan.token()))
            : Optional.empty();
  }

  /**
   * Opens a plan, whose table and lake snapshot must still be there.
   *
   * @throws LakestreamException READ_TOKEN_EXPIRED
   */
  public static UnionScan open(FlussTables tables, Planner planner, ReadPlan plan) {
    return new UnionScan(tables, planner, plan);
  }

  /** Reads the tail and opens the lake's files. See {@link UnionRows} for what comes later. */
  public UnionRows read(ReadOptions options) {
    RowFilter filter = RowFilter.of(options.filter(), live.definition());
    Schema lakeSchema =
        lake.map(Table::schema).orElseGet(() -> LakeLayout.schema(live.definition()));
    ReadShape shape = ReadShape.of(live.definition(), options.columns(), filter, lakeSchema);
    TailRows tail = new TailRows(shape, filter, options.tailMemoryBytes());
    long limit = options.limit().orElse(Long.MAX_VALUE);
    if (limit > 0) {
      readTail(shape.indexes().stream().mapToInt(i -> i).toArray(), tail::apply);
    }
    return new UnionRows(
        shape.resultSchema(),
        lakeRows(shape, filter, tail),
        tail.liveRows(),
        limit,
        this::translate);
  }

  private CloseableIterator<Record> lakeRows(ReadShape shape, RowFilter filter, TailRows tail) {
    if (lake.isEmpty()) {
      return CloseableIterator.empty();
    }
    try {
      return LakeRows.open(
          lake.get(), plan.token().lakeSnapshotId().getAsLong(), shape, filter, tail);
    } catch (RuntimeException e) {
      throw translate(e);
    }
  }

  /**
   * Counts the rows without reading the lake's files: its metadata knows how many rows are live,
   * and the tail how many came and went.
   */
  public long count() {
    long[] rows = {lakeCount()};
    readTail(
        live.definition().keyIndexes(),
        changes -> {
          for (ScanRecord change : changes) {
            if (change.getChangeType() == ChangeType.INSERT) {
              rows[0]++;
            } else if (change.getChangeType() == ChangeType.DELETE) {
              rows[0]--;
            }
          }
        });
    return rows[0];
  }

  private long lakeCount() {
    if (lake.isEmpty()) {
      return 0;
    }
    long rows = 0;
    try (CloseableIterable<FileScanTask> files =
        lake.get().newScan().useSnapshot(plan.token().lakeSnapshotId().getAsLong()).planFiles()) {
      for (FileScanTask file : files) {
        if (file.deletes().stream().anyMatch(d -> d.content() == FileContent.EQUALITY_DELETES)) {
          throw new LakestreamException(
              ErrorCode.PROTOCOL_VIOLATION,
              "Cannot count table %s: another engine wrote equality deletes to its lake table.",
              live.definition().name().display());
        }
        rows +=
            file.file().recordCount()
                - file.deletes().stream().mapToLong(ContentFile::recordCount).sum();
      }
      return rows;
    } catch (java.io.IOException e) {
      throw translate(new UncheckedIOException(e));
    } catch (RuntimeException e) {
      throw translate(e);
    }
  }

  private void readTail(int[] columns, Consumer<List<ScanRecord>> changes) {
    Map<Integer, OffsetRange> ranges = plan.nonEmptyTail();
    if (ranges.isEmpty()) {
      return;
    }
    try {
      org.apache.fluss.client.table.Table table = tables.openTable(live.path());
      try {
        readTail(table, ranges, columns, changes);
      } finally {
        FlussCalls.close(table, live.path().toString());
      }
    } catch (LakestreamException e) {
      throw tailError(e);
    } catch (RuntimeException e) {
      throw tailError(
          new LakestreamException(
              e,
              ErrorCode.FLUSS_FAILED,
              "Cannot read the log of %s: %s",
              live.path(),
              e.getMessage()));
    }
  }

  private void readTail(
      org.apache.fluss.client.table.Table table,
      Map<Integer, OffsetRange> ranges,
      int[] columns,
      Consumer<List<ScanRecord>> changes) {
    if (table.getTableInfo().getTableId() != live.tableId()) {
      throw Planner.expired(plan.token(), "the table was dropped and created again");
    }
    try (LogRangeReader reader = LogRangeReader.open(table, ranges, PATIENCE, columns)) {
      while (!reader.isFinished()) {
        reader.poll().values().forEach(changes);
      }
      reader.verifyFinished();
    }
  }

  private LakestreamException tailError(LakestreamException e) {
    if (e.code() == ErrorCode.LOG_TRUNCATED) {
      return new LakestreamException(
          e,
          ErrorCode.LOG_TRUNCATED,
          "Cannot read table %s with token %s: Fluss no longer keeps all of its log. Plan the read again; where that fails too, the lake lacks changes: take a new copy of the table. (%s)",
          live.definition().name().display(),
          plan.token().print(),
          e.getMessage());
    }
    if (e.code() == ErrorCode.FLUSS_FAILED) {
      // A table that was dropped meanwhile answers with anything; what there is now explains it.
      planner.requireSameTable(plan.token());
    }
    return e;
  }

  private RuntimeException translate(RuntimeException e) {
    if (e instanceof LakestreamException) {
      return e;
    }
    ReadToken token = plan.token();
    if (e instanceof NotFoundException) {
      LakestreamException expired =
          Planner.expired(token, "files of its lake snapshot are no longer kept");
      expired.initCause(e);
      return expired;
    }
    return new LakestreamException(
        e,
        ErrorCode.LAKE_FAILED,
        "Cannot read the lake files of table %s: %s",
        live.definition().name().display(),
        e.getMessage());
  }
}
