package io.lakestream.tiering;

import static io.lakestream.tables.fixture.Definitions.define;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.schema.TableDefinition;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(SharedFluss.class)
class TieringIT {
  @TempDir private Path folder;
  private TieringRig rig;

  @BeforeEach
  void openRig() {
    rig = TieringRig.open(folder);
  }

  @AfterEach
  void closeRig() throws Exception {
    rig.close();
  }

  @Test
  void lakeEqualsFlussAfterRoundsOfRandomChangesWithEveryKindOfKey() {
    Random random = new Random(20260101);
    try (TableModel single =
            TableModel.create(
                define("kinds", "single", 1, List.of("id"), "id bigint", "name string"));
        TableModel composite =
            TableModel.create(
                define(
                    "kinds", "composite", 4, List.of("c", "a"), "a int", "b string", "c string"));
        TableModel uuid =
            TableModel.create(
                define("kinds", "uuids", 2, List.of("id"), "id string", "v decimal(12,2)"));
        TableModel time =
            TableModel.create(
                define("kinds", "times", 3, List.of("at"), "at timestamp_ltz", "v double"))) {
      rig.start(rig.config(), 2);
      String[] uuids = new String[40];
      for (int i = 0; i < uuids.length; i++) {
        uuids[i] = new UUID(random.nextLong(), random.nextLong()).toString();
      }
      for (int round = 0; round < 5; round++) {
        for (int change = 0; change < 150; change++) {
          int k = random.nextInt(40);
          boolean delete = random.nextInt(4) == 0;
          if (delete) {
            single.delete((long) k);
            composite.delete("c" + k % 7, k);
            uuid.delete(uuids[k]);
            time.delete(time(k));
          }
          if (!delete || random.nextBoolean()) {
            single.upsert((long) k, "n" + random.nextInt());
            composite.upsert(k, random.nextInt(5) == 0 ? null : "b" + round, "c" + k % 7);
            uuid.upsert(uuids[k], new java.math.BigDecimal(random.nextInt()).movePointLeft(2));
            time.upsert(time(k), random.nextDouble());
          }
        }
        for (TableModel model : List.of(single, composite, uuid, time)) {
          model.flush();
          rig.awaitTiered(model.table());
          assertThat(rig.rows(model.definition())).isEqualTo(model.rows());
        }
      }
      for (TableModel model : List.of(single, composite, uuid, time)) {
        rig.assertChainIsIntact(model.definition());
      }
    }
  }

  private static OffsetDateTime time(int k) {
    return OffsetDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC)
        .plusHours(k)
        .plusNanos(k * 1000L);
  }

  @Test
  void aSmallRoundAddsOneDataFilePerBucketAndIdleTablesMakeNoSnapshots() {
    TableDefinition definition = define("idle", "t", 2, List.of("id"), "id bigint", "name string");
    try (TableModel model = TableModel.create(definition)) {
      for (long id = 0; id < 50; id++) {
        model.upsert(id, "first");
      }
      model.flush();
      rig.start(rig.config(), 2);
      rig.awaitTiered(model.table());
      var first = rig.history(definition);
      assertThat(first).hasSize(1);
      assertThat(TieringRig.changes(rig.load(definition), first.get(0)).addedDataFiles())
          .hasSize(2);

      // Another table's rounds prove that the job goes on while this one rests.
      try (TableModel other =
          TableModel.create(define("idle", "other", 1, List.of("id"), "id bigint"))) {
        for (long id = 0; id < 5; id++) {
          other.upsert(id).flush();
          rig.awaitTiered(other.table());
        }
        assertThat(rig.history(other.definition()).size()).isGreaterThanOrEqualTo(4);
      }
      assertThat(rig.history(definition)).isEqualTo(first);
    }
  }

  @Test
  void deletingAnAbsentKeyLastBringsTheLagToZero() {
    TableDefinition definition = define("absent", "t", 1, List.of("id"), "id bigint", "v int");
    try (TableModel model = TableModel.create(definition)) {
      model.upsert(1L, 1).flush();
      model.delete(99L).flush();
      rig.start(rig.config(), 1);
      rig.awaitTiered(model.table());
      model.delete(98L).flush();
      rig.awaitTiered(model.table());
      assertThat(rig.rows(definition)).isEqualTo(model.rows());
      assertThat(
              TieringRig.changes(rig.load(definition), rig.load(definition).currentSnapshot())
                  .addedDataFiles())
          .isEmpty();
      rig.assertChainIsIntact(definition);
    }
  }
}
