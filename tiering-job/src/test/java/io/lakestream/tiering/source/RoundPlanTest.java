package io.lakestream.tiering.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.OffsetRange;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.lake.TieredOffsets.ReachedCut;
import io.lakestream.tiering.source.RoundPlan.Kind;
import java.time.Instant;
import java.util.Map;
import org.apache.fluss.metadata.TableBucket;
import org.junit.jupiter.api.Test;

class RoundPlanTest {
  private static final long TABLE = 7;

  private static Cut cut(long first, long second) {
    return new Cut(
        "s",
        3,
        SourcePosition.ofLsn(42),
        Instant.EPOCH,
        Map.of(new TableBucket(TABLE, 0), first, new TableBucket(TABLE, 1), second));
  }

  @Test
  void aRoundReadsFromTheLakeToTheCutInEachBucketThatMoved() {
    RoundPlan plan = RoundPlan.toCut(Map.of(0, 5L), cut(5, 9), TABLE, 3);

    assertThat(plan.kind()).isEqualTo(Kind.MOVED);
    assertThat(plan.ranges()).isEqualTo(Map.of(1, new OffsetRange(0, 9)));
    assertThat(plan.reached()).hasValue(new ReachedCut(3, SourcePosition.ofLsn(42), Instant.EPOCH));
  }

  @Test
  void nothingIsPlannedWhereTheLakeIsAtTheCut() {
    assertThat(RoundPlan.toCut(Map.of(0, 5L, 1, 9L), cut(5, 9), TABLE, 2).kind())
        .isEqualTo(Kind.NOTHING);
  }

  @Test
  void aCutBehindTheLakeInOneBucketIsNoRoundEvenWhereAnotherBucketMoved() {
    assertThat(RoundPlan.toCut(Map.of(0, 6L, 1, 0L), cut(5, 9), TABLE, 2).kind())
        .isEqualTo(Kind.BEHIND);
  }

  @Test
  void aRoundToPlainOffsetsReachesNoCut() {
    RoundPlan plan = RoundPlan.toOffsets(Map.of(), Map.of(0, 4L, 1, 0L));

    assertThat(plan.ranges()).isEqualTo(Map.of(0, new OffsetRange(0, 4)));
    assertThat(plan.reached()).isEmpty();
  }
}
