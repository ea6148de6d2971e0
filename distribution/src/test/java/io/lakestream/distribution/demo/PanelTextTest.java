package io.lakestream.distribution.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.distribution.demo.DemoSample.TableSample;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class PanelTextTest {
  private static final PanelText TEXT = new PanelText("Demo", List.of("How to look at it"));

  @Test
  void thePanelShowsEveryFigureAndADashForWhatIsNotThereYet() {
    assertThat(TEXT.panel(sample(Duration.ofSeconds(3723))))
        .containsExactly(
            "Demo",
            "running 1:02:03   transactions 1,234 (50/s)   position 0/16B3748   freshness 340 ms",
            "",
            "table                 rows  changes/s  stream tail        lake snapshot  lake age  files",
            "-------------  -----------  ---------  -----------  -------------------  --------  -----",
            "public.orders       15,000         12          230  4401836432101234567     1.2 s      7",
            "public.nation           25          0           25                    -         -      0",
            "",
            "How to look at it");
  }

  @Test
  void withoutATerminalThereAreNamedValuesEveryFewSeconds() {
    StringWriter out = new StringWriter();
    try (PlainPanel panel = new PlainPanel(TEXT, new PrintWriter(out))) {
      panel.show(sample(Duration.ofSeconds(1)));
      panel.show(sample(Duration.ofSeconds(5)));
      panel.show(sample(Duration.ofSeconds(6)));
    }
    assertThat(out.toString().lines())
        .hasSize(6)
        .startsWith(
            "running=0:00:01 transactions=1234 transactions/s=50 position=0/16B3748 freshness_ms=340 rows=15025 changes/s=12 tail_rows=255",
            "  table=public.orders rows=15000 changes/s=12 tail_rows=230 lake_snapshot=4401836432101234567 lake_age_ms=1234 files=7",
            "  table=public.nation rows=25 changes/s=0 tail_rows=25 lake_snapshot=- lake_age_ms=- files=0",
            "running=0:00:06 transactions=1234 transactions/s=50 position=0/16B3748 freshness_ms=340 rows=15025 changes/s=12 tail_rows=255");
  }

  private static DemoSample sample(Duration running) {
    return new DemoSample(
        running,
        1234,
        50.4,
        "0/16B3748",
        "",
        OptionalLong.of(340),
        List.of(
            new TableSample(
                "public.orders",
                15_000,
                12.3,
                230,
                OptionalLong.of(4401836432101234567L),
                OptionalLong.of(1234),
                7),
            new TableSample(
                "public.nation", 25, 0, 25, OptionalLong.empty(), OptionalLong.empty(), 0)));
  }
}
