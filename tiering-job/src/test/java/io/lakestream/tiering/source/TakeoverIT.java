package io.lakestream.tiering.source;

import static io.lakestream.tables.fixture.Definitions.define;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.lake.TieredOffsets;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tiering.TableModel;
import io.lakestream.tiering.TieringConfig;
import io.lakestream.tiering.TieringRig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(SharedFluss.class)
class TakeoverIT {
  private static final AtomicInteger REPORTS = new AtomicInteger();

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

  private static void change(TableModel model, Random random) {
    for (int i = 0; i < 60; i++) {
      long id = random.nextInt(50);
      if (random.nextInt(3) == 0) {
        model.delete(id);
      } else {
        model.upsert(id, random.nextInt());
      }
    }
    model.flush();
  }

  private void assertLakeEqualsFluss(TableModel model) {
    rig.awaitTiered(model.table());
    assertThat(rig.rows(model.definition())).isEqualTo(model.rows());
    rig.assertChainIsIntact(model.definition());
  }

  @Test
  void twoJobsAtOnceNeitherLoseNorDoubleRowsAndTheOneThatRestsIsReplaced() {
    TableDefinition definition = define("pair", "t", 2, List.of("id"), "id bigint", "v int");
    Random random = new Random(7);
    try (TableModel model = TableModel.create(definition)) {
      change(model, random);
      JobClient first = rig.start(rig.config(), 2);
      JobClient second = rig.start(rig.config(), 1);
      for (int i = 0; i < 6; i++) {
        change(model, random);
        assertLakeEqualsFluss(model);
      }
      rig.cancel(first);
      change(model, random);
      assertLakeEqualsFluss(model);
      JobClient third = rig.start(rig.config(), 1);
      rig.cancel(second);
      change(model, random);
      assertLakeEqualsFluss(model);
      assertThat(epochs(definition)).isSorted().doesNotHaveDuplicates().hasSizeGreaterThan(1);
      rig.cancel(third);
    }
  }

  private List<Long> epochs(TableDefinition definition) {
    return rig.history(definition).stream()
        .map(s -> TieredOffsets.fromSummary(s.summary()).orElseThrow().epoch())
        .distinct()
        .toList();
  }

  @Test
  void aJobWithoutAnyStateGoesOnFromTheLake() throws IOException {
    TableDefinition definition = define("wiped", "t", 3, List.of("id"), "id bigint", "v int");
    Random random = new Random(8);
    try (TableModel model = TableModel.create(definition)) {
      for (int parallelism = 1; parallelism <= 3; parallelism++) {
        change(model, random);
        JobClient job = rig.start(rig.config(), parallelism);
        assertLakeEqualsFluss(model);
        change(model, random);
        assertLakeEqualsFluss(model);
        rig.cancel(job);
        try (Stream<Path> left = Files.list(rig.indexFolder())) {
          assertThat(left).as("index folders of closed readers").isEmpty();
        }
      }
    }
  }

  @Test
  void aFailingTaskAndCheckpointsLeaveTheLakeRight() {
    TableDefinition definition = define("failing", "t", 4, List.of("id"), "id bigint", "v int");
    Random random = new Random(9);
    TieringConfig config = rig.config();
    REPORTS.set(0);
    Configuration restarts = new Configuration();
    restarts.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
    restarts.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, 10);
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(2, restarts);
    env.enableCheckpointing(200);
    env.fromSource(new TieringSource(config), WatermarkStrategy.noWatermarks(), "s", Types.STRING)
        .map(
            report -> {
              // In the reader's own task: it dies with its index and what it has under way.
              if (REPORTS.incrementAndGet() % 3 == 0) {
                throw new IllegalStateException("planned failure");
              }
              return report;
            })
        .sinkTo(new DiscardingSink<>());
    try (TableModel model = TableModel.create(definition)) {
      JobClient job = rig.start(env);
      for (int i = 0; i < 8; i++) {
        change(model, random);
        assertLakeEqualsFluss(model);
      }
      assertThat(REPORTS.get()).isGreaterThan(5);
      rig.cancel(job);
    }
  }

  @Test
  void aTableThatIsDroppedAndRecreatedStartsAnewAndOthersGoOn() {
    TableDefinition definition = define("again", "t", 2, List.of("id"), "id bigint", "v int");
    Random random = new Random(10);
    try (TableModel other =
        TableModel.create(define("again", "other", 1, List.of("id"), "id bigint", "v int"))) {
      rig.start(rig.config(), 2);
      for (int i = 0; i < 2; i++) {
        try (TableModel model = TableModel.create(definition)) {
          change(model, random);
          assertLakeEqualsFluss(model);
          change(other, random);
          assertLakeEqualsFluss(other);
          model.upsert(7L, i).flush(); // perhaps in a round when the table goes
          model.drop();
        }
      }
      try (TableModel model = TableModel.create(definition)) {
        change(model, random);
        assertLakeEqualsFluss(model);
      }
      change(other, random);
      assertLakeEqualsFluss(other);
      await().atMost(TieringRig.PATIENCE).until(() -> rig.history(other.definition()).size() >= 3);
    }
  }
}
