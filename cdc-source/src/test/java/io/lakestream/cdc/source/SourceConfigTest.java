package io.lakestream.cdc.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SourceConfigTest {
  private static SourceConfig config(String name, int port, int buckets, Duration heartbeat) {
    return new SourceConfig(
        name,
        SourceType.POSTGRES,
        "h",
        port,
        "d",
        "u",
        Secret.of("marker"),
        List.of("public.*"),
        List.of(),
        buckets,
        heartbeat);
  }

  @Test
  void thePasswordIsInNoText() {
    assertThat(config("shop", 5432, 1, Duration.ofSeconds(1)).toString())
        .doesNotContain("marker")
        .contains("***");
  }

  @Test
  void valuesOutOfRangeAreRefusedWithTheRange() {
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> config("sh op", 5432, 1, second)).hasMessageContaining("'sh op'");
    assertThatThrownBy(() -> config("shop", 70_000, 1, second)).hasMessageContaining("1 to 65535");
    assertThatThrownBy(() -> config("shop", 5432, 0, second)).hasMessageContaining("1 to 1024");
    assertThatThrownBy(() -> config("shop", 5432, 1, Duration.ofMillis(1)))
        .hasMessageContaining("100 to 60000");
  }
}
