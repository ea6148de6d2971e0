package io.lakestream.union.plan;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.OffsetRange;
import io.lakestream.tables.ddl.LiveTable;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One read, chosen and bounded before it starts: what is written afterwards does not change it.
 *
 * @param table as it was when the read was planned
 * @param token names what is read
 * @param tail stream tail per bucket: from the lake snapshot's end offset to the stop offset. Every
 *     bucket is named
 * @param cut the cut that the read stops at; empty for a read at "latest", which is whole per
 *     bucket only, and for a plan made from a token
 */
public record ReadPlan(
    LiveTable table, ReadToken token, Map<Integer, OffsetRange> tail, Optional<Cut> cut) {
  public ReadPlan {
    tail = Map.copyOf(tail);
  }

  /**
   * True where the table is paused or being rebuilt, so that the rows are those of an older
   * position than its source's newest cut.
   */
  public boolean isOlder() {
    return table.lastCut().isPresent();
  }

  /** Number of log entries in the tail, 0 or greater: an upper bound for the changes to merge. */
  public long tailEntries() {
    return tail.values().stream().mapToLong(OffsetRange::length).sum();
  }

  /** The parts of the tail that hold something. */
  public Map<Integer, OffsetRange> nonEmptyTail() {
    Map<Integer, OffsetRange> ranges = new TreeMap<>(tail);
    ranges.values().removeIf(OffsetRange::isEmpty);
    return ranges;
  }
}
