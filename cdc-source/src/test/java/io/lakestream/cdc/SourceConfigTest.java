package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SourceConfigTest {
  private static SourceConfig config(String name, int port, int buckets, Duration heartbeat) {
    return new SourceConfig(
        name,
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

  @Test
  void everySourceHasASlotNameOfItsOwnThatPostgresAllows() {
    List<String> sources =
        List.of("shop", "Shop", "shop-1", "shop_1", "shop_x2d1", "shop_x5fx2d1", "a".repeat(60));
    Set<String> names = new HashSet<>();
    for (String source : sources) {
      assertThat(ReplicationNames.of(source)).matches("[a-z0-9_]{1,63}");
      names.add(ReplicationNames.of(source));
    }
    assertThat(names).hasSameSizeAs(sources);
  }
}
