package io.lakestream.distribution.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.tables.error.NearName;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextFormsTest {
  @Test
  void durationsReadAndWriteTheSame() {
    assertThat(DurationText.parse("500ms")).isEqualTo(Duration.ofMillis(500));
    assertThat(DurationText.parse("1s")).isEqualTo(Duration.ofSeconds(1));
    assertThat(DurationText.parse("5m")).isEqualTo(Duration.ofMinutes(5));
    assertThat(DurationText.parse("2h")).isEqualTo(Duration.ofHours(2));
    assertThat(DurationText.parse("7d")).isEqualTo(Duration.ofDays(7));
    assertThat(DurationText.write(Duration.ofMillis(1500))).isEqualTo("1500ms");
    assertThat(DurationText.write(Duration.ofMinutes(2))).isEqualTo("120s");
    assertThatThrownBy(() -> DurationText.parse("1")).hasMessageContaining("like 500ms");
    assertThatThrownBy(() -> DurationText.parse("-1s")).hasMessageContaining("'-1s'");
  }

  @Test
  void sizesReadInEveryUnit() {
    assertThat(DataSize.parse("12B").bytes()).isEqualTo(12);
    assertThat(DataSize.parse("1kb").bytes()).isEqualTo(1024);
    assertThat(DataSize.parse("500 MB")).hasToString("500MB");
    assertThat(DataSize.parse("1TB").bytes()).isEqualTo(1L << 40);
    assertThatThrownBy(() -> DataSize.parse("1")).hasMessageContaining("like 500MB");
  }

  @Test
  void theNearNameIsFoundAndAFarOneIsNot() {
    List<String> names = List.of("data", "sources", "lake");

    assertThat(NearName.of("source", names)).contains("sources");
    assertThat(NearName.of("Lake", names)).contains("lake");
    assertThat(NearName.of("ports", names)).isEmpty();
  }
}
