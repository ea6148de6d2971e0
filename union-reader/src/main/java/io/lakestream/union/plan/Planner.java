package io.lakestream.union.plan;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.OffsetRange;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.lake.LakeHead;
import io.lakestream.tables.lake.LakeTables;
import io.lakestream.tables.schema.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.fluss.metadata.TableBucket;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;

/** Turns a table and a cut, or "latest", or a token, into a plan. */
public final class Planner {
  private final FlussTables tables;
  private final LakeTables lake;

  public Planner(FlussTables tables, LakeTables lake) {
    this.tables = tables;
    this.lake = lake;
  }

  /** Finds a table. Throws UNKNOWN_TABLE without one. */
  public LiveTable find(TableName name) {
    return tables
        .find(name)
        .orElseThrow(
            () ->
                new LakestreamException(
                    ErrorCode.UNKNOWN_TABLE,
                    "Cannot read table %s: source %s has no captured table of this name (lakestream tables lists them).",
                    name.display(),
                    name.source()));
  }

  /**
   * Plans a read.
   *
   * @param wanted where to stop; empty for everything that Fluss holds now
   * @param mayBeOlder true where a table that {@code wanted} no longer names is to be read at the
   *     last cut that does
   */
  public ReadPlan plan(TableName name, Optional<Cut> wanted, boolean mayBeOlder) {
    LiveTable live = find(name);
    boolean older =
        mayBeOlder && live.lastCut().isPresent() && !wanted.orElseThrow().covers(live.tableId());
    Optional<Cut> cut = older ? live.lastCut() : wanted;
    // The lake before the log's end: the lake never holds more than the log, so the head that is
    // seen now lies within the end offsets that are read after it.
    Optional<Table> lakeTable = lake.find(name);
    Map<Integer, Long> stops =
        cut.isPresent()
            ? stopsAt(cut.get(), live)
            : tables.endOffsets(live.path(), live.definition().buckets());
    Optional<LakeHead> pin = lakeTable.flatMap(t -> LakePin.choose(t, live, stops));
    ReadPlan plan = new ReadPlan(live, token(live, pin, stops), tail(pin, stops), cut);
    boolean newest =
        pin.isPresent()
            && pin.get().snapshot().snapshotId() == lakeTable.get().currentSnapshot().snapshotId();
    if (!newest) {
      verifyLogReachesBack(plan);
    }
    return plan;
  }

  /**
   * Makes the plan of a token again.
   *
   * @throws LakestreamException READ_TOKEN_EXPIRED where the table or the lake snapshot is gone
   */
  public ReadPlan plan(ReadToken token) {
    LiveTable live = requireSameTable(token);
    if (token.stopOffsets().size() != live.definition().buckets()) {
      throw expired(token, "the table has another number of buckets");
    }
    Map<Integer, Long> stops = new TreeMap<>();
    for (int bucket = 0; bucket < token.stopOffsets().size(); bucket++) {
      stops.put(bucket, token.stopOffsets().get(bucket));
    }
    Optional<LakeHead> pin = Optional.empty();
    if (token.lakeSnapshotId().isPresent()) {
      Table lakeTable = requireLake(token);
      Snapshot snapshot = lakeTable.snapshot(token.lakeSnapshotId().getAsLong());
      pin = LakeHead.of(lakeTable, snapshot);
      if (pin.isEmpty()) {
        throw expired(token, "the offsets of its lake snapshot are no longer kept");
      }
    }
    return new ReadPlan(live, token, tail(pin, stops), Optional.empty());
  }

  /** The table that the token was made for. Throws READ_TOKEN_EXPIRED where it is gone. */
  public LiveTable requireSameTable(ReadToken token) {
    LiveTable live =
        tables.find(token.table()).orElseThrow(() -> expired(token, "the table was dropped"));
    if (live.tableId() != token.tableId()) {
      throw expired(token, "the table was dropped and created again");
    }
    if (live.schemaId() != token.schemaId()) {
      throw expired(token, "the table's columns changed");
    }
    return live;
  }

  /**
   * The lake table with the snapshot that the token pins. Throws READ_TOKEN_EXPIRED where it is
   * gone.
   */
  public Table requireLake(ReadToken token) {
    Table lakeTable =
        lake.find(token.table()).orElseThrow(() -> expired(token, "the lake table was dropped"));
    if (lakeTable.snapshot(token.lakeSnapshotId().getAsLong()) == null) {
      throw expired(token, "its lake snapshot is no longer kept");
    }
    return lakeTable;
  }

  /** The error of a token that can no longer be read. */
  public static LakestreamException expired(ReadToken token, String why) {
    return new LakestreamException(
        ErrorCode.READ_TOKEN_EXPIRED,
        "Cannot read table %s with token %s: %s. Plan the read again.",
        token.table().display(),
        token.print(),
        why);
  }

  private static Map<Integer, Long> stopsAt(Cut cut, LiveTable live) {
    if (!cut.covers(live.tableId())) {
      throw new LakestreamException(
          ErrorCode.POSITION_NOT_COVERED,
          "Cannot read table %s at position %s: %s. Wait until it is live (lakestream tables), or read at latest what is there.",
          live.definition().name().display(),
          cut.position(),
          live.lastCut()
              .map(last -> "what it holds is from position " + last.position())
              .orElse(
                  "it is not whole there, because its copy is still running or was made later"));
    }
    Map<Integer, Long> stops = new TreeMap<>();
    for (TableBucket bucket : live.buckets()) {
      stops.put(bucket.getBucket(), cut.endOffset(bucket));
    }
    return stops;
  }

  private static ReadToken token(LiveTable live, Optional<LakeHead> pin, Map<Integer, Long> stops) {
    List<Long> inOrder = new ArrayList<>(new TreeMap<>(stops).values());
    OptionalLong snapshotId =
        pin.isPresent() ? OptionalLong.of(pin.get().snapshot().snapshotId()) : OptionalLong.empty();
    return new ReadToken(
        live.definition().name(), live.tableId(), live.schemaId(), snapshotId, inOrder);
  }

  private static Map<Integer, OffsetRange> tail(Optional<LakeHead> pin, Map<Integer, Long> stops) {
    Map<Integer, OffsetRange> tail = new TreeMap<>();
    stops.forEach(
        (bucket, stop) ->
            tail.put(
                bucket,
                new OffsetRange(pin.map(p -> p.offsets().endOffset(bucket)).orElse(0L), stop)));
    return tail;
  }

  private void verifyLogReachesBack(ReadPlan plan) {
    Map<Integer, OffsetRange> ranges = plan.nonEmptyTail();
    if (ranges.isEmpty()) {
      return;
    }
    LiveTable live = plan.table();
    Map<Integer, Long> starts = tables.startOffsets(live.path(), live.definition().buckets());
    ranges.forEach(
        (bucket, range) -> {
          if (starts.get(bucket) > range.start()) {
            throw logTooShort(plan, bucket, range.start(), starts.get(bucket));
          }
        });
  }

  private static LakestreamException logTooShort(
      ReadPlan plan, int bucket, long needed, long start) {
    return plan.cut().isPresent()
        ? new LakestreamException(
            ErrorCode.POSITION_TOO_OLD,
            "Cannot read table %s at position %s: bucket %s needs its log from offset %s, and it is kept from %s. Ask for a later position.",
            plan.table().definition().name().display(),
            plan.cut().get().position(),
            bucket,
            needed,
            start)
        : new LakestreamException(
            ErrorCode.LOG_TRUNCATED,
            "Cannot read table %s: bucket %s needs its log from offset %s, and it is kept from %s, so the lake lacks changes. Take a new copy of the table.",
            plan.table().definition().name().display(),
            bucket,
            needed,
            start);
  }
}
