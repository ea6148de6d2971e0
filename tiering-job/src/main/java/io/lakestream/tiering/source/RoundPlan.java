package io.lakestream.tiering.source;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.OffsetRange;
import io.lakestream.tables.lake.TieredOffsets.ReachedCut;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.fluss.metadata.TableBucket;

/**
 * What a round would read.
 *
 * @param kind whether there is anything to read
 * @param ranges per bucket that moved; empty unless {@link Kind#MOVED}
 * @param reached the cut that the round ends at
 */
record RoundPlan(Kind kind, Map<Integer, OffsetRange> ranges, Optional<ReachedCut> reached) {
  /** Where the stop offsets lie, seen from the lake. */
  enum Kind {
    /** The lake is there already. */
    NOTHING,
    /** A bucket's stop offset lies before the lake's. */
    BEHIND,
    MOVED
  }

  RoundPlan {
    ranges = Map.copyOf(ranges);
  }

  /** Plans a round that ends at a cut. */
  static RoundPlan toCut(Map<Integer, Long> tiered, Cut cut, long tableId, int buckets) {
    Map<Integer, Long> stops = new TreeMap<>();
    for (int bucket = 0; bucket < buckets; bucket++) {
      stops.put(bucket, cut.endOffset(new TableBucket(tableId, bucket)));
    }
    return plan(
        tiered,
        stops,
        Optional.of(new ReachedCut(cut.sequence(), cut.position(), cut.sourceTime())));
  }

  /** Plans a round that ends at plain offsets. */
  static RoundPlan toOffsets(Map<Integer, Long> tiered, Map<Integer, Long> stops) {
    return plan(tiered, stops, Optional.empty());
  }

  private static RoundPlan plan(
      Map<Integer, Long> tiered, Map<Integer, Long> stops, Optional<ReachedCut> reached) {
    Map<Integer, OffsetRange> ranges = new TreeMap<>();
    for (Map.Entry<Integer, Long> stop : stops.entrySet()) {
      long start = tiered.getOrDefault(stop.getKey(), 0L);
      if (stop.getValue() < start) {
        return new RoundPlan(Kind.BEHIND, Map.of(), Optional.empty());
      }
      if (stop.getValue() > start) {
        ranges.put(stop.getKey(), new OffsetRange(start, stop.getValue()));
      }
    }
    return ranges.isEmpty()
        ? new RoundPlan(Kind.NOTHING, Map.of(), Optional.empty())
        : new RoundPlan(Kind.MOVED, ranges, reached);
  }
}
