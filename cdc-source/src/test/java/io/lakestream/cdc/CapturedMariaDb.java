package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.CutLog;
import io.lakestream.tables.system.StateBoard.TableState;
import java.time.Duration;
import java.util.Set;

/** What tests ask of a captured MariaDB. */
final class CapturedMariaDb {
  private static final Set<TableState> COPIED = Set.of(TableState.SNAPSHOT, TableState.REBUILDING);

  private final TestMariaDb source;
  private final SourceConfig config;

  CapturedMariaDb(TestMariaDb source, SourceConfig config) {
    this.source = source;
    this.config = config;
  }

  /**
   * Waits until every table is copied and a cut holds everything that is committed now; returns the
   * newest.
   */
  Cut awaitNow(CaptureEngine engine) {
    SourcePosition position;
    try (SourceConnection connection = SourceConnection.open(config)) {
      position = connection.mark();
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(
            () -> {
              CaptureStatus status = engine.status();
              assertThat(status.failure()).isEmpty();
              assertThat(status)
                  .matches(now -> now.position().filter(p -> p.covers(position)).isPresent());
              assertThat(status.tables()).noneMatch(table -> COPIED.contains(table.state()));
            });
    try (CutLog cuts = CutLog.open(SharedFluss.tables(), config.name())) {
      return cuts.latest().orElseThrow();
    }
  }

  /** Checks that a table in Fluss, read at the newest cut and at its end, equals the source now. */
  void assertSame(CaptureEngine engine, String table) {
    Cut cut = awaitNow(engine);
    assertThat(engine.status().tables())
        .filteredOn(t -> t.name().equals(config.database() + "." + table))
        .allSatisfy(t -> assertThat(t.reason()).isEmpty());
    TableName name = new TableName(config.name(), config.database(), table);
    assertThat(View.rowsAt(SharedFluss.tables(), name, cut))
        .as("%s at %s", name, cut.position())
        .isEqualTo(source.rows(config.database(), table));
    assertThat(View.rows(SharedFluss.tables(), name))
        .as("%s at its end", name)
        .isEqualTo(source.rows(config.database(), table));
  }
}
