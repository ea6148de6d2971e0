package io.lakestream.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class FigureTest {
  @Test
  void printsTheLineThatScriptsRead() {
    assertThat(new Figure("view_lag_p95_ms", 412.345, "ms", "<=1000"))
        .hasToString("figure=view_lag_p95_ms value=412.35 unit=ms goal=<=1000");
    assertThat(new Figure("rows", 7.0, "rows", Figure.NO_GOAL))
        .hasToString("figure=rows value=7 unit=rows goal=none");
  }

  @Test
  void aGoalIsMetOnItsOwnSideOnly() {
    assertThat(new Figure("a", 40, "s", "<=40").meetsGoal()).isTrue();
    assertThat(new Figure("a", 40.01, "s", "<=40").meetsGoal()).isFalse();
    assertThat(new Figure("a", 0.8, "x", ">=0.8").meetsGoal()).isTrue();
    assertThat(new Figure("a", 0.79, "x", ">=0.8").meetsGoal()).isFalse();
    assertThat(new Figure("a", 1e9, "x", Figure.NO_GOAL).meetsGoal()).isTrue();
  }

  @Test
  void aNameOrGoalThatScriptsCouldNotReadIsRefused() {
    assertThatThrownBy(() -> new Figure("view lag", 1, "ms", "none"))
        .hasMessage("Invalid figure name: 'view lag'");
    assertThatThrownBy(() -> new Figure("a", 1, "ms", "about 5"))
        .hasMessage("Invalid goal of figure a: 'about 5' (must be none, <=N or >=N)");
  }

  @Test
  void aPercentileIsAValueThatWasMeasured() {
    List<Double> values = List.of(5.0, 1.0, 4.0, 2.0, 3.0);
    assertThat(Percentile.of(values, 50)).isEqualTo(3.0);
    assertThat(Percentile.of(values, 95)).isEqualTo(5.0);
    assertThat(Percentile.of(values, 20)).isEqualTo(1.0);
    assertThatThrownBy(() -> Percentile.of(List.of(), 50))
        .hasMessage("Cannot take a percentile of nothing");
  }
}
