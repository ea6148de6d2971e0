package io.lakestream.distribution.laptop;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.distribution.ChildJvm;
import io.lakestream.distribution.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command in a process of its own that is told to end. */
class StopIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int TERMINATED = 143;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"fluss", "flink"})
  void aStopInTheMiddleOfTheStartIsQuiet(String part) throws Exception {
    Process demo = start();
    try {
      // The folder of a part is made right before the part starts.
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> Files.exists(folder.resolve("data").resolve(part)) || !demo.isAlive());

      demo.destroy();

      assertThat(demo.waitFor(30, TimeUnit.SECONDS)).as("it ends").isTrue();
      assertThat(demo.exitValue()).isEqualTo(TERMINATED);
      assertThat(folder.resolve("err")).isEmptyFile();
      assertThat(folder.resolve("out")).content().doesNotContain("Cannot", "Stopped");
    } finally {
      demo.destroyForcibly();
    }
    assertThat(folder.resolve("data/postgres/data/postmaster.pid")).doesNotExist();
    assertThat(DataFolder.isInUse(folder.resolve("data"))).isFalse();
  }

  @Test
  void aStopWhileItRunsSaysHowToGoOn() throws Exception {
    Process demo = start();
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> out().contains("Workload: seed=") || !demo.isAlive());

      demo.destroy();

      assertThat(demo.waitFor(15, TimeUnit.SECONDS)).as("it ends").isTrue();
      assertThat(demo.exitValue()).isEqualTo(TERMINATED);
      assertThat(folder.resolve("err")).isEmptyFile();
      assertThat(out().lines().toList())
          .last()
          .isEqualTo(
              "Stopped. The same command goes on where it stopped: data=" + folder.resolve("data"));
    } finally {
      demo.destroyForcibly();
    }
  }

  private String out() throws IOException {
    return Files.readString(folder.resolve("out"));
  }

  private Process start() throws IOException {
    List<String> command =
        ChildJvm.command(
            "512m",
            Main.class,
            "demo",
            "--scale",
            "0.001",
            "--data",
            folder.resolve("data").toString());
    return new ProcessBuilder(command)
        .redirectOutput(folder.resolve("out").toFile())
        .redirectError(folder.resolve("err").toFile())
        .start();
  }
}
