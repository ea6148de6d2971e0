package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lakestream.cdc.postgres.PostgresConnection;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.CutLog;
import io.lakestream.tables.system.StateBoard.TableState;
import java.time.Duration;
import java.util.Set;

/** What tests ask of a captured source. */
final class Captured {
  private static final Set<TableState> COPIED = Set.of(TableState.SNAPSHOT, TableState.REBUILDING);

  private final TestSource source;
  private final SourceConfig config;
  private final FlussTables tables;

  Captured(TestSource source, SourceConfig config, FlussTables tables) {
    this.source = source;
    this.config = config;
    this.tables = tables;
  }

  /**
   * Waits until every table is copied and a cut holds everything that is committed now; returns the
   * newest.
   */
  Cut awaitNow(CaptureEngine engine) {
    SourcePosition position;
    try (PostgresConnection connection = PostgresConnection.open(config)) {
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
    try (CutLog cuts = CutLog.open(tables, config.name())) {
      return cuts.latest().orElseThrow();
    }
  }

  /** Waits until the copy of a table is whole. */
  void awaitWhole(CaptureEngine engine, String display) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              assertThat(engine.failure()).isEmpty();
              return engine.status().tables().stream()
                  .anyMatch(t -> t.name().equals(display) && t.state() == TableState.LIVE);
            });
  }

  /** Checks that a table in Fluss, read at a cut, equals the source now. */
  void assertSame(String schema, String table, Cut cut) {
    TableName name = new TableName(config.name(), schema, table);
    var columns = tables.find(name).orElseThrow().definition().columnNames();
    String sqlName = TestSource.quote(schema) + "." + TestSource.quote(table);
    assertThat(View.rowsAt(tables, name, cut))
        .as("%s at %s", name, cut.position())
        .isEqualTo(source.rows(config.database(), sqlName, columns));
    assertThat(View.rows(tables, name))
        .as("%s at its end", name)
        .isEqualTo(source.rows(config.database(), sqlName, columns));
  }
}
