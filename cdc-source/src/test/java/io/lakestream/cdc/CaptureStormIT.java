package io.lakestream.cdc;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.fixture.SharedFluss;
import java.sql.Connection;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(SharedFluss.class)
class CaptureStormIT {
  @RegisterExtension static final TestSource SOURCE = TestSource.logical();

  static LongStream seeds() {
    return StormRun.seeds();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void tablesEqualTheSourceAfterEachRoundOfAStorm(long seed) throws Exception {
    CaptureStorm storm = new CaptureStorm(StormDialect.POSTGRES, seed);
    String database = "storm" + seed;
    SOURCE.createDatabase(database, storm.create());
    SourceConfig config = SOURCE.config(database, database);
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    StormRun.run(
        new StormRun.Rig() {
          @Override
          public SourceConfig config() {
            return config;
          }

          @Override
          public String schema() {
            return "public";
          }

          @Override
          public Connection connect() {
            return SOURCE.connect(database);
          }

          @Override
          public void cutConnections() {
            SOURCE.run(
                "postgres",
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = '"
                    + database
                    + "' and pid <> pg_backend_pid()");
          }

          @Override
          public void assertSame(CaptureEngine engine, String table) {
            captured.assertSame("public", table, captured.awaitNow(engine));
          }
        },
        storm);
    SOURCE.run(
        "postgres",
        "select pg_drop_replication_slot(slot_name) from pg_replication_slots where database = '"
            + database
            + "'");
  }
}
