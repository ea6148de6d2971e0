package io.lakestream.tables.lake;

import java.util.Optional;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;

/**
 * A lake snapshot with the offsets it reaches.
 *
 * @param snapshot the snapshot to read
 * @param offsets its own, or those of the nearest ancestor that has some: a foreign commit, such as
 *     a compaction by another engine, keeps the rows and names no offsets
 */
public record LakeHead(Snapshot snapshot, TieredOffsets offsets) {
  /**
   * The table's current snapshot with its offsets.
   *
   * @param table refreshed by the caller
   * @return empty where the table holds nothing tiered yet
   */
  public static Optional<LakeHead> find(Table table) {
    Snapshot current = table.currentSnapshot();
    return current == null ? Optional.empty() : of(table, current);
  }

  /** A given snapshot of the table with its offsets. */
  public static Optional<LakeHead> of(Table table, Snapshot snapshot) {
    Snapshot ancestor = snapshot;
    while (ancestor != null) {
      Optional<TieredOffsets> offsets = TieredOffsets.fromSummary(ancestor.summary());
      if (offsets.isPresent()) {
        return Optional.of(new LakeHead(snapshot, offsets.get()));
      }
      ancestor = ancestor.parentId() == null ? null : table.snapshot(ancestor.parentId());
    }
    return Optional.empty();
  }
}
