package io.lakestream.tiering.commit;

import io.lakestream.tables.ddl.DefinitionJson;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.lake.LakeHead;
import io.lakestream.tables.lake.LakeTables;
import io.lakestream.tables.lake.TieredOffsets;
import io.lakestream.tiering.index.KeyIndex;
import io.lakestream.tiering.write.RoundFiles;
import io.lakestream.tiering.write.RoundWork;
import io.lakestream.tiering.write.RoundWork.BucketWork;
import io.lakestream.tiering.write.TableWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;

/**
 * Plays a tiering job of one reader by hand: writes rounds with a key index and prepares commits.
 */
final class RoundDriver implements AutoCloseable {
  private static final long WINDOW_BYTES = 1 << 20;

  private final LiveTable table;
  private final LakeTables lakeTables;
  private final KeyIndex keys;
  private final long windowBytes;
  private final Map<Integer, String> versions = new HashMap<>();
  private TableWriter writer;
  private int rounds;

  RoundDriver(LiveTable table, LakeTables lakeTables, Path folder, long windowBytes) {
    this.table = table;
    this.lakeTables = lakeTables;
    this.keys = KeyIndex.open(folder);
    this.windowBytes = windowBytes;
  }

  static RoundDriver open(LiveTable table, LakeTables lakeTables, Path folder) {
    return new RoundDriver(table, lakeTables, folder, WINDOW_BYTES);
  }

  Table lake() {
    return lakeTables.ensure(table);
  }

  /** Writes a round from the lake's head to the end of the log. */
  RoundCommit write(String roundId, long epoch) {
    Table lake = lake();
    Optional<TieredOffsets> head = LakeHead.find(lake).map(LakeHead::offsets);
    Map<Integer, Long> starts = head.map(TieredOffsets::endOffsets).orElse(Map.of());
    Map<Integer, Long> ends =
        SharedFluss.tables().endOffsets(table.path(), table.definition().buckets());
    OptionalLong base = snapshotId(lake);
    Map<Integer, BucketWork> buckets = new TreeMap<>();
    ends.forEach(
        (bucket, end) -> {
          long start = starts.getOrDefault(bucket, 0L);
          if (end > start) {
            buckets.put(bucket, new BucketWork(start, end, version(base, bucket)));
          }
        });
    RoundWork work =
        new RoundWork(
            roundId,
            table.tableId(),
            table.path().getTableName(),
            DefinitionJson.write(table.definition()),
            base.orElse(RoundWork.NO_SNAPSHOT),
            buckets);
    if (writer == null) {
      writer = TableWriter.open(work, SharedFluss.tables(), lakeTables, keys, windowBytes);
    }
    RoundFiles files = writer.write(work, () -> false);
    return new RoundCommit(
        base,
        starts,
        new TieredOffsets(table.tableId(), ends, base, epoch, roundId, Optional.empty()),
        files.dataFiles(),
        files.vectors(),
        files.replacedVectors());
  }

  /** Writes and commits a round, and takes note of its outcome. */
  CommitOutcome run(long epoch) {
    RoundCommit round =
        write("round-" + epoch + "-" + System.identityHashCode(this) + "-" + rounds++, epoch);
    return commit(lake(), round);
  }

  /** Commits a round through a table handle, and takes note of its outcome. */
  CommitOutcome commit(Table through, RoundCommit round) {
    CommitOutcome outcome = new LakeCommitter().commit(through, round);
    if (outcome instanceof CommitOutcome.Committed) {
      round
          .offsets()
          .endOffsets()
          .keySet()
          .forEach(bucket -> versions.put(bucket, round.offsets().roundId()));
    } else {
      versions.clear();
    }
    return outcome;
  }

  /** What an adopted head calls for: every index is asked for by the snapshot's own name. */
  void adopt() {
    versions.clear();
  }

  private String version(OptionalLong base, int bucket) {
    return versions.getOrDefault(
        bucket, base.isPresent() ? "snapshot-" + base.getAsLong() : "no-snapshot");
  }

  private static OptionalLong snapshotId(Table lake) {
    Snapshot current = lake.currentSnapshot();
    return current == null ? OptionalLong.empty() : OptionalLong.of(current.snapshotId());
  }

  @Override
  public void close() {
    if (writer != null) {
      writer.close();
    }
    keys.close();
  }
}
