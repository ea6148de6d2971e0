package io.lakestream.union;

import static io.lakestream.tables.error.Checks.checkArgument;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.lake.LakeHead;
import io.lakestream.tables.lake.LakeTables;
import io.lakestream.tables.schema.TableName;
import io.lakestream.union.plan.Cuts;
import io.lakestream.union.plan.Planner;
import io.lakestream.union.plan.ReadPlan;
import io.lakestream.union.plan.ReadPoint;
import io.lakestream.union.plan.ReadToken;
import io.lakestream.union.read.ReadOptions;
import io.lakestream.union.read.UnionRows;
import io.lakestream.union.read.UnionScan;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.iceberg.SnapshotSummary;

/**
 * The front door: reads a table's lake snapshot and stream tail as one current state.
 *
 * <pre>{@code
 * try (UnionReader reader = UnionReader.open(tables, lake)) {
 *   ReadPlan plan = reader.plan(name, ReadPoint.latest());
 *   try (UnionRows rows = reader.read(plan, ReadOptions.all())) {
 *     rows.forEachRemaining(row -> ...);
 *   }
 * }
 * }</pre>
 *
 * <p>Safe for many threads; the rows of one read are for one thread. Every method may throw a
 * {@link io.lakestream.tables.error.LakestreamException}: UNKNOWN_TABLE without such a table,
 * FLUSS_FAILED or LAKE_FAILED where a server or the lake does not answer.
 */
public final class UnionReader implements AutoCloseable {
  private final FlussTables tables;
  private final LakeTables lake;
  private final Planner planner;
  private final Cuts cuts;
  private final Clock clock;

  private UnionReader(FlussTables tables, LakeTables lake, Clock clock) {
    this.tables = tables;
    this.lake = lake;
    this.planner = new Planner(tables, lake);
    this.cuts = new Cuts(tables);
    this.clock = clock;
  }

  /** Opens a reader over both sides, which stay the caller's to close. */
  public static UnionReader open(FlussTables tables, LakeTables lake) {
    return new UnionReader(tables, lake, Clock.systemUTC());
  }

  /**
   * Plans the read of one table.
   *
   * <p>A table that is being rebuilt, or paused, is in no new cut. At {@link ReadPoint#latestCut}
   * it is read at the last one that names it: {@link ReadPlan#isOlder} tells.
   *
   * @throws io.lakestream.tables.error.LakestreamException POSITION_NOT_COVERED where the view does
   *     not reach the point yet; POSITION_TOO_OLD, or LOG_TRUNCATED at latest, where no kept lake
   *     snapshot and log reach back to it
   */
  public ReadPlan plan(TableName table, ReadPoint point) {
    return planner.plan(
        table, cuts.resolve(table.source(), point), point instanceof ReadPoint.LatestCut);
  }

  /**
   * Plans the reads of several tables of one source at one and the same cut, so that together they
   * show whole source transactions. At {@link ReadPoint#latest} there is no cut, and each plan says
   * so: then nothing is promised across tables.
   */
  public Map<TableName, ReadPlan> plan(Collection<TableName> names, ReadPoint point) {
    List<String> sources = names.stream().map(TableName::source).distinct().toList();
    checkArgument(
        point instanceof ReadPoint.Latest || sources.size() <= 1,
        "Cannot read tables of several sources (%s) at one cut: each source has cuts of its own. Read them at latest, or one source at a time.",
        sources);
    Optional<Cut> cut =
        sources.size() == 1 ? cuts.resolve(sources.get(0), point) : Optional.empty();
    Map<TableName, ReadPlan> plans = new LinkedHashMap<>();
    names.forEach(name -> plans.put(name, planner.plan(name, cut, false)));
    return plans;
  }

  /**
   * Makes the plan of a token again.
   *
   * @throws io.lakestream.tables.error.LakestreamException READ_TOKEN_EXPIRED where the table or
   *     the lake snapshot is gone
   */
  public ReadPlan plan(ReadToken token) {
    return planner.plan(token);
  }

  /**
   * Reads a plan. The stream tail is in memory on return; the lake is read row by row.
   *
   * @return rows with exactly the columns asked for, as {@link
   *     io.lakestream.tables.schema.ColumnType} describes their values; to be closed by the caller
   * @throws io.lakestream.tables.error.LakestreamException now or from the rows: READ_TOKEN_EXPIRED
   *     or LOG_TRUNCATED where what was planned is no longer kept, TAIL_TOO_LARGE where the tail
   *     needs more memory than allowed, INVALID_ARGUMENT for a column that the table does not have
   */
  public UnionRows read(ReadPlan plan, ReadOptions options) {
    return UnionScan.open(tables, planner, plan).read(options);
  }

  /**
   * Counts the rows of a plan from the lake's metadata and the tail, without reading lake files.
   */
  public long count(ReadPlan plan) {
    return UnionScan.open(tables, planner, plan).count();
  }

  /** The newest cut of a source; empty before its first. */
  public Optional<Cut> newestCut(String source) {
    return cuts.newest(source);
  }

  /** How a table's view stands, without reading its rows. */
  public ViewStatus status(TableName name) {
    LiveTable live = planner.find(name);
    // The lake first: then the tail is never negative.
    Optional<LakeHead> head =
        lake.find(name)
            .flatMap(LakeHead::find)
            .filter(h -> h.offsets().tableId() == live.tableId());
    Map<Integer, Long> ends = tables.endOffsets(live.path(), live.definition().buckets());
    Map<Integer, Long> lakeOffsets = new TreeMap<>();
    ends.keySet()
        .forEach(b -> lakeOffsets.put(b, head.map(h -> h.offsets().endOffset(b)).orElse(0L)));
    long tailRows =
        ends.entrySet().stream().mapToLong(e -> e.getValue() - lakeOffsets.get(e.getKey())).sum();
    Optional<Instant> lakeTime =
        head.map(h -> Instant.ofEpochMilli(h.snapshot().timestampMillis()));
    Optional<Cut> cut = cuts.newest(name.source());
    return new ViewStatus(
        tables.rowCount(live),
        tailRows,
        head.map(h -> OptionalLong.of(h.snapshot().snapshotId())).orElse(OptionalLong.empty()),
        lakeTime,
        age(lakeTime),
        head.map(UnionReader::dataFiles).orElse(0L),
        lakeOffsets,
        cut.map(Cut::position),
        age(cut.map(Cut::sourceTime)));
  }

  private static long dataFiles(LakeHead head) {
    return Long.parseLong(
        head.snapshot().summary().getOrDefault(SnapshotSummary.TOTAL_DATA_FILES_PROP, "0"));
  }

  private OptionalLong age(Optional<Instant> since) {
    return since
        .map(s -> OptionalLong.of(Math.max(0, clock.millis() - s.toEpochMilli())))
        .orElse(OptionalLong.empty());
  }

  @Override
  public void close() {
    cuts.close();
  }
}
