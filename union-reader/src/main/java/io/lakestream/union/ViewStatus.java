package io.lakestream.union;

import io.lakestream.tables.change.SourcePosition;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How a table's view stands now.
 *
 * @param rows that the view has, 0 or greater
 * @param tailRows log entries that the lake does not hold yet, 0 or greater: what a read merges
 * @param lakeSnapshotId newest Iceberg snapshot of this table; empty before the first
 * @param lakeSnapshotTime when that was committed
 * @param lakeAgeMs time since then, 0 or greater. Grows on an idle table too: nothing to commit
 * @param lakeFiles data files of that snapshot
 * @param lakeOffsets end offset per bucket that the lake holds
 * @param newestCutPosition source position of the newest cut of the table's source; empty before
 *     the first
 * @param freshnessMs time since the source committed the last transaction in that cut, 0 or
 *     greater: how far the view is behind the source. Empty before the first cut
 */
public record ViewStatus(
    long rows,
    long tailRows,
    OptionalLong lakeSnapshotId,
    Optional<Instant> lakeSnapshotTime,
    OptionalLong lakeAgeMs,
    long lakeFiles,
    Map<Integer, Long> lakeOffsets,
    Optional<SourcePosition> newestCutPosition,
    OptionalLong freshnessMs) {
  public ViewStatus {
    lakeOffsets = Map.copyOf(lakeOffsets);
  }
}
