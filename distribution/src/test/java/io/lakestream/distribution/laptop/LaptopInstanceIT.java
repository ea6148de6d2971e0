package io.lakestream.distribution.laptop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.distribution.config.ConfigReader;
import io.lakestream.distribution.config.LakestreamConfig;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.system.CutLog;
import io.lakestream.tables.system.ProgressStore;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

class LaptopInstanceIT {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  @Test
  void aCleanStopKeepsEverythingAndLeavesNothingRunning() throws Exception {
    Path data = folder.resolve("data");
    long began;
    try (LaptopInstance instance = start(data)) {
      writeSomething(instance);
      assertThat(instance.failure()).isEmpty();
      began = System.nanoTime();
    }

    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(STOP_LIMIT);
    assertThat(data.resolve(Endpoints.FILE)).doesNotExist();
    assertThat(data.resolve("postgres/data/postmaster.pid")).doesNotExist();
    assertThat(DataFolder.isInUse(data)).isFalse();
    try (LaptopInstance instance = start(data)) {
      assertSomethingIsThere(instance);
    }
  }

  @Test
  void afterAKillTheSameFolderStartsAgainAtOnce() throws Exception {
    Path data = folder.resolve("data");
    Process child = LaptopChild.start(data);
    try {
      Awaitility.await()
          .atMost(Duration.ofMinutes(4))
          .until(() -> Files.exists(data.resolve(LaptopChild.READY)) || !child.isAlive());
      assertThat(child.isAlive()).as("child runs").isTrue();
      assertThatThrownBy(() -> start(data))
          .isInstanceOfSatisfying(
              LakestreamException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_FOLDER_IN_USE))
          .hasMessageContaining("process " + child.pid() + " is running on it");
    } finally {
      child.destroyForcibly();
      assertThat(child.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(data.resolve(Endpoints.FILE)).as("a kill leaves its endpoints").exists();
    assertThatThrownBy(() -> Instance.open(data))
        .hasMessageContaining("nothing runs on it")
        .hasMessageContaining("lakestream up");

    try (LaptopInstance instance = start(data)) {
      assertSomethingIsThere(instance);
      try (Instance outside = Instance.open(data)) {
        assertThat(outside.tables().list()).isEmpty();
        assertThat(outside.endpoints()).isEqualTo(instance.endpoints());
      }
    }
  }

  @Test
  void aTakenPortIsNamedAndNothingStaysBehind() throws Exception {
    Path data = folder.resolve("data");
    try (ServerSocket taken = new ServerSocket(0, 1, Ports.loopback())) {
      LakestreamConfig config =
          ConfigReader.parse(
                  "ports: {coordinator: " + taken.getLocalPort() + "}", "lakestream.yaml")
              .withData(data);

      assertThatThrownBy(() -> LaptopInstance.start(config, true, line -> {}))
          .isInstanceOfSatisfying(
              LakestreamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PORT_TAKEN))
          .hasMessageContaining("Cannot start Fluss's coordinator")
          .hasMessageContaining("port " + taken.getLocalPort() + " is taken")
          .hasMessageContaining("ports.coordinator");
    }
    assertThat(DataFolder.isInUse(data)).isFalse();
    assertThat(data.resolve(Endpoints.FILE)).doesNotExist();
    assertThat(data.resolve("postgres")).doesNotExist();
    assertThat(data.resolve("zookeeper")).doesNotExist();
  }

  @Test
  void tooLittleSpaceStopsTheStartBeforeAnythingRuns() {
    LakestreamConfig config =
        ConfigReader.parse("min-free-space: 900000TB", "lakestream.yaml")
            .withData(folder.resolve("data"));

    assertThatThrownBy(() -> LaptopInstance.start(config, false, line -> {}))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.DATA_FOLDER_FULL))
        .hasMessageContaining(folder.resolve("data").toString())
        .hasMessageContaining("are free and")
        .hasMessageContaining("min-free-space");
    assertThat(folder.resolve("data/zookeeper")).doesNotExist();
  }

  private static LaptopInstance start(Path data) {
    return LaptopInstance.start(LakestreamConfig.defaults().withData(data), true, line -> {});
  }

  static void writeSomething(LaptopInstance instance) throws Exception {
    EmbeddedPostgres17 postgres = instance.postgres().orElseThrow();
    try (Connection connection = postgres.database("postgres").getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE kept (id int PRIMARY KEY)");
      statement.execute("INSERT INTO kept VALUES (1), (2)");
    }
    try (CutLog cuts = CutLog.open(instance.tables(), "shop")) {
      cuts.append(SourcePosition.ofLsn(7), Instant.EPOCH, Map.of(), Set.of());
    }
    try (ProgressStore progress = ProgressStore.open(instance.tables())) {
      progress.put("shop", "offsets", "here");
    }
  }

  private static void assertSomethingIsThere(LaptopInstance instance) throws Exception {
    EmbeddedPostgres17 postgres = instance.postgres().orElseThrow();
    try (Connection connection = postgres.database("postgres").getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT count(*) FROM kept")) {
      rows.next();
      assertThat(rows.getInt(1)).isEqualTo(2);
    }
    try (CutLog cuts = CutLog.open(instance.tables(), "shop")) {
      assertThat(cuts.latest()).as("what Fluss acknowledged").isPresent();
      assertThat(cuts.latest().orElseThrow().position()).isEqualTo(SourcePosition.ofLsn(7));
    }
    try (ProgressStore progress = ProgressStore.open(instance.tables())) {
      assertThat(progress.find("shop", "offsets")).contains("here");
    }
  }
}
