package io.lakestream.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.lake.LakeConfig;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TieringConfigTest {
  private static final LakeConfig LAKE =
      new LakeConfig("jdbc:sqlite:/tmp/c.db", "file:/tmp/w", Map.of("jdbc.password", "secret"));

  @Test
  void defaultsAreOneSecondFiveSecondsAndHalfAMinute() {
    assertThat(TieringConfig.of("localhost:9123", LAKE, "/tmp/index"))
        .isEqualTo(
            new TieringConfig(
                "localhost:9123",
                LAKE,
                Duration.ofSeconds(1),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                "/tmp/index"));
  }

  @Test
  void aTooShortCommitIntervalIsRefused() {
    assertThatExceptionOfType(LakestreamException.class)
        .isThrownBy(
            () ->
                new TieringConfig(
                    "localhost:9123",
                    LAKE,
                    Duration.ofMillis(1),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(30),
                    "/tmp/index"))
        .withMessage("Invalid commit interval: 1 ms (must be 100 ms to 1 h)");
  }

  @Test
  void itTravelsToTheReadersAndItsTextHidesSecrets() throws Exception {
    TieringConfig config = TieringConfig.of("localhost:9123", LAKE, "/tmp/index");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(config);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo(config);
    }
    assertThat(config.toString()).doesNotContain("secret");
  }
}
