package io.lakestream.tiering.source;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How long the job that tiers a table has rested, seen from one that stands by. It rests while the
 * lake's head stays where it is though there is something to tier.
 */
final class Standby {
  private OptionalLong snapshotId;
  private long restingSinceNanos;

  Standby(OptionalLong snapshotId, long nowNanos) {
    this.snapshotId = snapshotId;
    this.restingSinceNanos = nowNanos;
  }

  /**
   * Looks again.
   *
   * @param now the lake's head
   * @param ends end offsets of the log per bucket
   * @return true where the other job has rested for {@code takeover}
   */
  boolean look(LaneHead now, Map<Integer, Long> ends, long nowNanos, Duration takeover) {
    boolean moved = !now.snapshotId().equals(snapshotId);
    boolean waiting = RoundPlan.toOffsets(now.endOffsets(), ends).kind() == RoundPlan.Kind.MOVED;
    if (moved || !waiting) {
      snapshotId = now.snapshotId();
      restingSinceNanos = nowNanos;
      return false;
    }
    return nowNanos - restingSinceNanos >= takeover.toNanos();
  }
}
