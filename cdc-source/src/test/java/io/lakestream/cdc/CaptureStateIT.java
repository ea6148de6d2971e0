package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cdc.source.Secret;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceType;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.system.StateBoard;
import io.lakestream.tables.system.StateBoard.SourceState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedFluss.class)
class CaptureStateIT {
  private static final SourceConfig CONFIG =
      new SourceConfig(
          "troubled",
          SourceType.POSTGRES,
          "127.0.0.1",
          1,
          "postgres",
          "postgres",
          Secret.of(""),
          List.of("public.*"),
          List.of(),
          1,
          Duration.ofSeconds(1));

  @Test
  void theLastFailureStaysTheReasonUntilACutIsWrittenAgain() {
    try (CaptureState state =
            CaptureState.open(CONFIG, SharedFluss.tables(), CaptureOptions.DEFAULT);
        StateBoard board = StateBoard.open(SharedFluss.tables())) {
      state.source(SourceState.STARTING);
      assertShows(state, board, SourceState.STARTING, "");
      state.streaming();
      assertShows(state, board, SourceState.STREAMING, "");
      state.retrying("Cannot read.");
      assertShows(
          state, board, SourceState.STARTING, "Cannot read. Trying again every few seconds.");
      state.source(SourceState.CATCHING_UP);
      assertShows(
          state, board, SourceState.CATCHING_UP, "Trying again after a failure: Cannot read.");
      state.streaming();
      assertShows(state, board, SourceState.STREAMING, "");
      state.retrying("Cannot read again.");
      state.stopped();
      assertShows(state, board, SourceState.STOPPED, "");
    }
  }

  private static void assertShows(
      CaptureState state, StateBoard board, SourceState expected, String reason) {
    CaptureStatus status = state.status(Map.of(), Map.of());
    assertThat(status.state()).isEqualTo(expected);
    assertThat(status.reason()).isEqualTo(reason);
    assertThat(board.list())
        .filteredOn(entry -> entry.source().equals(CONFIG.name()))
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.state()).isEqualTo(expected.name());
              assertThat(entry.reason()).isEqualTo(reason);
            });
  }
}
