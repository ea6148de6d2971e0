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
class MariaDbStormIT {
  @RegisterExtension static final TestMariaDb SOURCE = new TestMariaDb();

  static LongStream seeds() {
    return StormRun.seeds();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void tablesEqualTheSourceAfterEachRoundOfAStorm(long seed) throws Exception {
    CaptureStorm storm = new CaptureStorm(StormDialect.MARIADB, seed);
    String database = "my_storm" + seed;
    SOURCE.createDatabase(database, storm.create());
    SourceConfig config = SOURCE.config(database, database);
    CapturedMariaDb captured = new CapturedMariaDb(SOURCE, config);
    StormRun.run(
        new StormRun.Rig() {
          @Override
          public SourceConfig config() {
            return config;
          }

          @Override
          public String schema() {
            return database;
          }

          @Override
          public Connection connect() {
            return SOURCE.connect(database);
          }

          @Override
          public void cutConnections() {
            SOURCE.killConnectionsOf(TestMariaDb.USER);
          }

          @Override
          public void assertSame(CaptureEngine engine, String table) {
            captured.assertSame(engine, table);
          }
        },
        storm);
  }
}
