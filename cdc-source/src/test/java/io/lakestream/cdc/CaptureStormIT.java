package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.fixture.SharedFluss;
import java.sql.Connection;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Storms of changes, whose tables must equal the source after each round; -Dseeds=N for more. */
@ExtendWith(SharedFluss.class)
class CaptureStormIT {
  @RegisterExtension static final TestSource SOURCE = TestSource.logical();

  private static final int ROUNDS = 6;
  private static final String CUT_CONNECTIONS =
      "select pg_terminate_backend(pid) from pg_stat_activity"
          + " where datname = '%s' and pid <> pg_backend_pid()";

  static LongStream seeds() {
    return LongStream.rangeClosed(1, Integer.getInteger("seeds", 20));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void tablesEqualTheSourceAfterEachRound(long seed) throws Exception {
    CaptureStorm storm = new CaptureStorm(StormDialect.POSTGRES, seed);
    String database = "storm" + seed;
    SOURCE.createDatabase(database, storm.create());
    SourceConfig config = SOURCE.config(database, database);
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables());
    try {
      for (int round = 1; round <= ROUNDS; round++) {
        CaptureStorm.Trouble trouble = storm.trouble();
        if (trouble == CaptureStorm.Trouble.STOPPED_MEANWHILE) {
          engine.close();
        }
        try (Connection connection = SOURCE.connect(database)) {
          storm.round(connection);
        }
        switch (trouble) {
          case KILLED_WHILE_RUNNING -> {
            engine.kill();
            engine = CaptureEngine.start(config, SharedFluss.tables());
          }
          case STOPPED_MEANWHILE -> engine = CaptureEngine.start(config, SharedFluss.tables());
          case CONNECTIONS_CUT -> SOURCE.run("postgres", CUT_CONNECTIONS.formatted(database));
          case NONE -> assertThat(engine.failure()).isEmpty();
        }
        Cut cut = captured.awaitNow(engine);
        for (String table : storm.tables()) {
          captured.assertSame("public", table, cut);
        }
      }
    } finally {
      engine.close();
      SOURCE.run(
          "postgres",
          "select pg_drop_replication_slot(slot_name) from pg_replication_slots where database = '"
              + database
              + "'");
    }
  }
}
