package io.lakestream.tiering.source;

import static io.lakestream.tables.fixture.Definitions.define;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.lake.LakeHead;
import io.lakestream.tables.lake.TieredOffsets;
import io.lakestream.tables.lake.TieredOffsets.ReachedCut;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.system.CutLog;
import io.lakestream.tiering.TableModel;
import io.lakestream.tiering.TieringRig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.fluss.metadata.TableBucket;
import org.apache.iceberg.Snapshot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(SharedFluss.class)
class CutRoundsIT {
  @TempDir private Path folder;
  private TieringRig rig;
  private long lsn = 100;

  @BeforeEach
  void openRig() {
    rig = TieringRig.open(folder);
  }

  @AfterEach
  void closeRig() throws Exception {
    rig.close();
  }

  private Cut cut(CutLog log, TableModel... models) {
    Map<TableBucket, Long> ends = new HashMap<>();
    for (TableModel model : models) {
      model
          .ends()
          .forEach(
              (bucket, end) -> ends.put(new TableBucket(model.table().tableId(), bucket), end));
    }
    return log.append(
        SourcePosition.ofLsn(lsn += 10),
        Instant.EPOCH.plusSeconds(lsn),
        ends,
        Arrays.stream(models).map(m -> m.table().tableId()).collect(Collectors.toSet()));
  }

  @Test
  void roundsEndAtCutsAndSayWhichOne() {
    TableDefinition definition = define("cuts", "t", 3, List.of("id"), "id bigint", "v int");
    try (TableModel model = TableModel.create(definition);
        CutLog log = CutLog.open(SharedFluss.tables(), "cuts")) {
      List<Cut> cuts = new ArrayList<>();
      rig.start(rig.cutsOnlyConfig(), 2);
      for (int i = 0; i < 4; i++) {
        for (long id = 0; id < 30; id++) {
          model.upsert(id, i);
        }
        model.flush();
        Map<List<Object>, List<Object>> atCut = Map.copyOf(model.rows());
        Cut cut = cut(log, model);
        cuts.add(cut);
        // Behind the cut: not to be tiered before the next one.
        model.upsert(1000L + i, i).flush();
        await()
            .atMost(TieringRig.PATIENCE)
            .untilAsserted(
                () ->
                    assertThat(rig.head(definition).flatMap(head -> head.offsets().reached()))
                        .map(ReachedCut::sequence)
                        .hasValue(cut.sequence()));
        assertThat(rig.rows(definition)).isEqualTo(atCut);
      }
      for (Snapshot snapshot : rig.history(definition)) {
        TieredOffsets offsets = TieredOffsets.fromSummary(snapshot.summary()).orElseThrow();
        ReachedCut reached = offsets.reached().orElseThrow();
        Cut cut = cuts.get((int) (reached.sequence() - cuts.get(0).sequence()));
        assertThat(reached.position()).isEqualTo(cut.position());
        assertThat(reached.sourceTime()).isEqualTo(cut.sourceTime());
        for (int bucket = 0; bucket < 3; bucket++) {
          assertThat(offsets.endOffset(bucket))
              .isEqualTo(cut.endOffset(new TableBucket(model.table().tableId(), bucket)));
        }
      }
      rig.assertChainIsIntact(definition);
    }
  }

  @Test
  void withoutACutForLongRoundsEndAtPlainOffsetsAndTheNextCutIsWaitedFor() {
    TableDefinition definition = define("plain", "t", 1, List.of("id"), "id bigint", "v int");
    try (TableModel model = TableModel.create(definition);
        CutLog log = CutLog.open(SharedFluss.tables(), "plain")) {
      model.upsert(1L, 1).flush();
      Map<Integer, Long> early = model.ends();
      rig.start(rig.config(), 1);
      model.upsert(2L, 2).flush();
      rig.awaitTiered(model.table());
      assertThat(rig.head(definition).orElseThrow().offsets().reached()).isEmpty();

      // A cut that the lake is ahead of: no round can end there.
      log.append(
          SourcePosition.ofLsn(5),
          Instant.EPOCH,
          Map.of(new TableBucket(model.table().tableId(), 0), early.get(0)),
          Set.of(model.table().tableId()));
      // A plain round may be quicker than the cut that covers it; the cut after it is not too late.
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                model.upsert(3L, 3).flush();
                Cut covering =
                    log.append(
                        SourcePosition.ofLsn(6),
                        Instant.EPOCH,
                        Map.of(new TableBucket(model.table().tableId(), 0), model.ends().get(0)),
                        Set.of(model.table().tableId()));
                rig.awaitTiered(model.table());
                assertThat(rig.head(definition))
                    .map(LakeHead::offsets)
                    .flatMap(TieredOffsets::reached)
                    .map(ReachedCut::sequence)
                    .hasValue(covering.sequence());
              });
      assertThat(rig.rows(definition)).isEqualTo(model.rows());
      rig.assertChainIsIntact(definition);
    }
  }
}
