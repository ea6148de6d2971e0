package io.lakestream.tiering.source;

import io.lakestream.tables.change.OffsetRange;
import io.lakestream.tables.ddl.DefinitionJson;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.lake.TieredOffsets;
import io.lakestream.tiering.commit.RoundCommit;
import io.lakestream.tiering.write.RoundFiles;
import io.lakestream.tiering.write.RoundWork;
import io.lakestream.tiering.write.RoundWork.BucketWork;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/** A round that is under way: what was handed out and what came back. */
final class Round {
  private final String id;
  private final LaneHead base;
  private final RoundPlan plan;
  private final Map<Integer, RoundWork> shares;
  private final Set<Integer> outstanding;
  private final long startedNanos = System.nanoTime();
  private RoundFiles files = RoundFiles.none();

  private Round(String id, LaneHead base, RoundPlan plan, Map<Integer, RoundWork> shares) {
    this.id = id;
    this.base = base;
    this.plan = plan;
    this.shares = shares;
    this.outstanding = new HashSet<>(shares.keySet());
  }

  /**
   * Splits a plan into the readers' shares.
   *
   * @param versions version of each bucket in the base; one that is not named has the base's
   * @param owner reader of a bucket
   */
  static Round of(
      String id,
      LiveTable table,
      LaneHead base,
      Map<Integer, String> versions,
      RoundPlan plan,
      IntUnaryOperator owner) {
    Map<Integer, Map<Integer, BucketWork>> byReader = new TreeMap<>();
    for (Map.Entry<Integer, OffsetRange> range : plan.ranges().entrySet()) {
      int bucket = range.getKey();
      byReader
          .computeIfAbsent(owner.applyAsInt(bucket), reader -> new TreeMap<>())
          .put(
              bucket,
              new BucketWork(
                  range.getValue().start(),
                  range.getValue().stop(),
                  versions.getOrDefault(bucket, base.version())));
    }
    String definition = DefinitionJson.write(table.definition());
    Map<Integer, RoundWork> shares = new TreeMap<>();
    byReader.forEach(
        (reader, buckets) ->
            shares.put(
                reader,
                new RoundWork(
                    id,
                    table.tableId(),
                    table.path().getTableName(),
                    definition,
                    base.snapshotId().orElse(RoundWork.NO_SNAPSHOT),
                    buckets)));
    return new Round(id, base, plan, shares);
  }

  String id() {
    return id;
  }

  LaneHead base() {
    return base;
  }

  RoundPlan plan() {
    return plan;
  }

  /** Share per reader. */
  Map<Integer, RoundWork> shares() {
    return shares;
  }

  boolean awaits(int reader) {
    return outstanding.contains(reader);
  }

  /** Takes a reader's files; true where they were the last ones. */
  boolean add(int reader, RoundFiles written) {
    outstanding.remove(reader);
    files = files.plus(written);
    return outstanding.isEmpty();
  }

  RoundFiles files() {
    return files;
  }

  long startedNanos() {
    return startedNanos;
  }

  /** What is to be committed, once all files are here. */
  RoundCommit toCommit(long tableId, long epoch) {
    Map<Integer, Long> ends = new HashMap<>(base.endOffsets());
    plan.ranges().forEach((bucket, range) -> ends.put(bucket, range.stop()));
    return new RoundCommit(
        base.snapshotId(),
        base.endOffsets(),
        new TieredOffsets(tableId, ends, base.snapshotId(), epoch, id, plan.reached()),
        files.dataFiles(),
        files.vectors(),
        files.replacedVectors());
  }
}
