package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.schema.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** A storm of one seed with troubles of capture, and what must hold after each of its rounds. */
final class StormRun {
  private static final int ROUNDS = 6;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The database under the storm. */
  interface Rig {
    SourceConfig config();

    /** Schema of the tables, as capture names it. */
    String schema();

    Connection connect() throws SQLException;

    /** Ends capture's connections. */
    void cutConnections();

    /** Checks that what capture has of a table equals the source now. */
    void assertSame(CaptureEngine engine, String table);
  }

  private final Rig rig;
  private final CaptureStorm storm;
  private CaptureEngine engine;

  private StormRun(Rig rig, CaptureStorm storm) {
    this.rig = rig;
    this.storm = storm;
  }

  /** Seeds to run: 3, or as many as -Dseeds says. */
  static LongStream seeds() {
    return LongStream.rangeClosed(1, Integer.getInteger("seeds", 3));
  }

  static void run(Rig rig, CaptureStorm storm) throws SQLException {
    StormRun run = new StormRun(rig, storm);
    run.start();
    try {
      for (int round = 1; round <= ROUNDS; round++) {
        run.round();
      }
    } finally {
      run.engine.close();
    }
  }

  private void start() {
    engine = CaptureEngine.start(rig.config(), SharedFluss.tables());
  }

  private void round() throws SQLException {
    CaptureStorm.Trouble trouble = storm.trouble();
    if (trouble == CaptureStorm.Trouble.STOPPED_MEANWHILE) {
      engine.close();
    }
    try (Connection connection = rig.connect()) {
      storm.round(connection);
    }
    switch (trouble) {
      case KILLED_WHILE_RUNNING -> {
        engine.kill();
        start();
      }
      case STOPPED_MEANWHILE -> start();
      case CONNECTIONS_CUT -> rig.cutConnections();
      case NONE -> assertThat(engine.failure()).isEmpty();
    }
    for (String table : storm.tables()) {
      awaitShape(table);
      rig.assertSame(engine, table);
    }
  }

  // A change of shape without a change of rows behind it is not in the log: capture looks for it.
  private void awaitShape(String table) throws SQLException {
    List<String> columns = columns(table);
    TableName name = new TableName(rig.config().name(), rig.schema(), table);
    await(table)
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(
            () ->
                assertThat(SharedFluss.tables().find(name))
                    .hasValueSatisfying(
                        live -> assertThat(live.definition().columnNames()).isEqualTo(columns)));
  }

  private List<String> columns(String table) throws SQLException {
    List<String> columns = new ArrayList<>();
    try (Connection connection = rig.connect();
        Statement statement = connection.createStatement();
        ResultSet result =
            statement.executeQuery(
                "select column_name from information_schema.columns where table_schema = '"
                    + rig.schema()
                    + "' and table_name = '"
                    + table
                    + "' order by ordinal_position")) {
      while (result.next()) {
        columns.add(result.getString(1));
      }
    }
    return columns;
  }
}
