package io.lakestream.union.plan;

import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.lake.LakeHead;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;

/** Chooses the lake snapshot of a read. */
final class LakePin {
  private LakePin() {}

  /**
   * The newest snapshot that belongs to this very Fluss table and holds nothing from a stop offset
   * on, in any bucket. Newest by ancestry: snapshot IDs have no order.
   */
  static Optional<LakeHead> choose(Table lake, LiveTable table, Map<Integer, Long> stops) {
    Snapshot snapshot = lake.currentSnapshot();
    while (snapshot != null) {
      Optional<LakeHead> head = LakeHead.of(lake, snapshot);
      if (head.isPresent() && isWithin(head.get(), table, stops)) {
        return head;
      }
      snapshot = snapshot.parentId() == null ? null : lake.snapshot(snapshot.parentId());
    }
    return Optional.empty();
  }

  private static boolean isWithin(LakeHead head, LiveTable table, Map<Integer, Long> stops) {
    return head.offsets().tableId() == table.tableId()
        && stops.entrySet().stream()
            .allMatch(stop -> head.offsets().endOffset(stop.getKey()) <= stop.getValue());
  }
}
