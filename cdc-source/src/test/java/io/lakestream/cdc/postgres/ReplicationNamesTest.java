package io.lakestream.cdc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class ReplicationNamesTest {
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
