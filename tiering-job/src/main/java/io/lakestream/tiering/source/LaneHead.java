package io.lakestream.tiering.source;

import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.lake.LakeHead;
import io.lakestream.tables.lake.LakeTables;
import io.lakestream.tables.lake.TieredOffsets;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;

/**
 * What the lake holds of a table: what the next round extends.
 *
 * @param table handle for the lane's own calls, one at a time
 * @param snapshotId current snapshot; empty where there is none
 * @param offsets its own or its nearest ancestor's; empty before the first round
 */
record LaneHead(Table table, OptionalLong snapshotId, Optional<TieredOffsets> offsets) {
  /** The head of a table handle as it was refreshed last. */
  static LaneHead of(Table table) {
    Snapshot current = table.currentSnapshot();
    return new LaneHead(
        table,
        current == null ? OptionalLong.empty() : OptionalLong.of(current.snapshotId()),
        LakeHead.find(table).map(LakeHead::offsets));
  }

  /** End offset per bucket; a bucket that is not named: 0. */
  Map<Integer, Long> endOffsets() {
    return offsets.map(TieredOffsets::endOffsets).orElse(Map.of());
  }

  long epoch() {
    return offsets.map(TieredOffsets::epoch).orElse(0L);
  }

  /** What the files of a bucket are called that this head was found with. */
  String version() {
    return snapshotId.isPresent() ? "snapshot-" + snapshotId.getAsLong() : "no-snapshot";
  }

  /**
   * Finds or creates the lake table, and checks that the log goes on where the lake ends. Blocks.
   *
   * @throws LakestreamException LOG_TRUNCATED where it does not; UNKNOWN_TABLE where Fluss has
   *     another table of this name by now
   */
  static LaneHead open(FlussTables fluss, LakeTables lake, LiveTable table) {
    String name = table.definition().name().display();
    // Asked again just before: ensure replaces the lake table of another table ID, and a list that
    // is seconds old must not bring back a table that was dropped meanwhile.
    LiveTable current =
        fluss
            .find(table.definition().name())
            .filter(found -> found.tableId() == table.tableId())
            .orElseThrow(
                () ->
                    new LakestreamException(
                        ErrorCode.UNKNOWN_TABLE,
                        "Cannot tier %s: table ID %s is gone from Fluss",
                        name,
                        table.tableId()));
    LaneHead head = of(lake.ensure(current));
    int buckets = table.definition().buckets();
    Map<Integer, Long> starts = fluss.startOffsets(table.path(), buckets);
    Map<Integer, Long> ends = fluss.endOffsets(table.path(), buckets);
    for (int bucket = 0; bucket < buckets; bucket++) {
      long tiered = head.endOffsets().getOrDefault(bucket, 0L);
      if (tiered < starts.get(bucket) || tiered > ends.get(bucket)) {
        throw new LakestreamException(
            ErrorCode.LOG_TRUNCATED,
            "Cannot tier %s: the lake ends at offset %s of bucket %s, and the Fluss log has [%s, %s). Nothing is skipped; take a new copy of the table.",
            name,
            tiered,
            bucket,
            starts.get(bucket),
            ends.get(bucket));
      }
    }
    return head;
  }
}
