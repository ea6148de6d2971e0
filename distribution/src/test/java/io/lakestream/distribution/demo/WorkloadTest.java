package io.lakestream.distribution.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.tables.error.LakestreamException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Loader and workload on a real PostgreSQL. */
class WorkloadTest {
  private static final double SCALE = 0.001;

  private static EmbeddedPostgres postgres;
  private static int databases;
  private String database;

  @BeforeAll
  static void start() throws IOException, SQLException {
    postgres = EmbeddedPostgres.builder().start();
    create("loaded", "template1");
    try (Connection connection = postgres.getDatabase("postgres", "loaded").getConnection()) {
      new TpchLoader(connection, (table, rows) -> {}).load(OptionalDouble.of(SCALE), 1);
    }
  }

  private static void create(String name, String template) throws SQLException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + name + " TEMPLATE " + template);
    }
  }

  @AfterAll
  static void stop() throws IOException {
    postgres.close();
  }

  @BeforeEach
  void nameDatabase() {
    database = "demo" + databases++;
  }

  @Test
  void loadsAllTablesOnceWithTheirKeys() throws SQLException {
    create(database, "template1");
    List<String> heard = new ArrayList<>();
    try (Connection connection = connect()) {
      TpchLoader loader = new TpchLoader(connection, (table, rows) -> heard.add(table + rows));
      assertThat(loader.load(OptionalDouble.of(SCALE), 1))
          .isEqualTo(new TpchLoader.Outcome(SCALE, true));
      assertThat(counts(connection))
          .isEqualTo(
              new TreeMap<>(
                  Map.of(
                      "region",
                      5L,
                      "nation",
                      25L,
                      "part",
                      200L,
                      "supplier",
                      10L,
                      "partsupp",
                      700L,
                      "customer",
                      150L,
                      "orders",
                      1500L,
                      "lineitem",
                      6005L)));
      assertThat(heard).contains("region5", "lineitem6005").hasSize(8);
      assertThat(
              text(
                  connection,
                  "SELECT l_shipdate FROM lineitem WHERE l_orderkey = 1 AND l_linenumber = 1"))
          .isEqualTo("1996-03-13");
      assertThat(
              text(
                  connection,
                  "SELECT count(*) FROM pg_constraint WHERE contype IN ('p', 'f') AND connamespace = 'public'::regnamespace"))
          .isEqualTo("16");

      heard.clear();
      assertThat(loader.load(OptionalDouble.empty(), 1))
          .isEqualTo(new TpchLoader.Outcome(SCALE, false));
      assertThat(heard).isEmpty();
      assertThatThrownBy(() -> loader.load(OptionalDouble.of(0.5), 1))
          .isInstanceOf(LakestreamException.class)
          .hasMessageContaining("the data folder holds scale 0.001");
    }
  }

  @Test
  void aBrokenOffLoadLeavesNothingAndIsBegunAgain() throws SQLException {
    create(database, "template1");
    try (Connection connection = connect()) {
      TpchLoader broken =
          new TpchLoader(
              connection,
              (table, rows) -> {
                if (table.equals("orders")) {
                  throw new IllegalStateException("killed");
                }
              });
      assertThatThrownBy(() -> broken.load(OptionalDouble.of(SCALE), 1)).hasMessage("killed");
    }
    try (Connection connection = connect()) {
      assertThat(text(connection, "SELECT count(*) FROM pg_class WHERE relname = 'region'"))
          .isEqualTo("0");
      assertThat(
              new TpchLoader(connection, (table, rows) -> {})
                  .load(OptionalDouble.empty(), SCALE)
                  .loaded())
          .isTrue();
    }
  }

  @Test
  void everyTransactionKeepsTheForeignKeysAndTouchesEveryTable() throws SQLException {
    create(database, "loaded");
    try (Connection connection = connect()) {
      Map<String, Long> before = counts(connection);
      Map<String, String> rows = new TreeMap<>();
      for (String table : TpchLoader.TABLES) {
        rows.put(table, fingerprint(connection, table));
      }
      TransactionStream stream = new TransactionStream(connection, 7, Operation.defaultMix());
      int changed = 0;
      for (int i = 0; i < 600; i++) {
        changed += stream.next() ? 1 : 0;
      }
      assertThat(changed).isGreaterThan(570);
      Map<String, Long> after = counts(connection);
      assertThat(after.get("orders")).isNotEqualTo(before.get("orders"));
      assertThat(
              text(
                  connection,
                  "SELECT count(*) FROM lineitem LEFT JOIN orders ON o_orderkey = l_orderkey WHERE o_orderkey IS NULL"))
          .isEqualTo("0");
      // What an order costs is what its lines cost, for the orders that the workload made.
      assertThat(
              text(
                  connection,
                  "SELECT count(*) FROM orders WHERE o_orderkey > 6000 AND o_orderstatus = 'O' AND o_totalprice <> (SELECT sum(l_extendedprice) FROM lineitem WHERE l_orderkey = o_orderkey) AND o_orderdate > '1998-08-02'"))
          .isEqualTo("0");
      for (String table : TpchLoader.TABLES) {
        assertThat(fingerprint(connection, table)).as(table).isNotEqualTo(rows.get(table));
      }
    }
  }

  @Test
  void theSameSeedGivesTheSameRows() throws SQLException {
    String first = fingerprintAfter(11);
    nameDatabase();
    assertThat(fingerprintAfter(11)).isEqualTo(first);
    nameDatabase();
    assertThat(fingerprintAfter(12)).isNotEqualTo(first);
  }

  @Test
  void aTransferNeverChangesTheSumOfBalances() throws SQLException {
    create(database, "loaded");
    try (Connection connection = connect()) {
      String sum = text(connection, "SELECT sum(c_acctbal) FROM customer");
      String rows = fingerprint(connection);
      TransactionStream stream = new TransactionStream(connection, 3, only(Operation.TRANSFER));
      for (int i = 0; i < 100; i++) {
        assertThat(stream.next()).isTrue();
      }
      assertThat(text(connection, "SELECT sum(c_acctbal) FROM customer")).isEqualTo(sum);
      assertThat(fingerprint(connection)).isNotEqualTo(rows);
    }
  }

  @Test
  void offersAreMadeMovedToAnotherKeyAndWithdrawn() throws SQLException {
    create(database, "loaded");
    try (Connection connection = connect()) {
      TransactionStream stream = new TransactionStream(connection, 5, only(Operation.MOVE_OFFER));
      String keys =
          "SELECT md5(string_agg(ps_partkey || '-' || ps_suppkey, ',' ORDER BY 1)) || count(*) FROM partsupp";
      List<String> seen = new ArrayList<>();
      int moved = 0;
      String last = text(connection, keys);
      for (int i = 0; i < 100; i++) {
        stream.next();
        String now = text(connection, keys);
        moved += !now.equals(last) && now.substring(32).equals(last.substring(32)) ? 1 : 0;
        last = now;
        seen.add(now.substring(32));
      }
      assertThat(seen).contains("701", "702");
      // Also moved: the number stays, the keys change.
      assertThat(moved).isPositive();
    }
  }

  @Test
  void aWorkloadGoesOnInAnotherRunAndStopsWhenClosed() throws SQLException {
    create(database, "loaded");
    try (Connection connection = connect()) {
      for (int run = 0; run < 2; run++) {
        Workload workload = Workload.start(connect(), 1, 1000, Operation.defaultMix());
        Awaitility.await().until(() -> workload.committed() >= 50);
        workload.close();
        assertThat(workload.failure()).isEmpty();
        String rows = fingerprint(connection);
        assertThat(fingerprint(connection)).isEqualTo(rows);
      }
      assertThat(new BigDecimal(text(connection, "SELECT max(o_orderkey) FROM orders")).intValue())
          .isGreaterThan(6000);
    }
  }

  private String fingerprintAfter(long seed) throws SQLException {
    create(database, "loaded");
    try (Connection connection = connect()) {
      TransactionStream stream = new TransactionStream(connection, seed, Operation.defaultMix());
      for (int i = 0; i < 150; i++) {
        stream.next();
      }
      return fingerprint(connection);
    }
  }

  private static Map<Operation, Integer> only(Operation operation) {
    return new EnumMap<>(Map.of(operation, 1));
  }

  private static String fingerprint(Connection connection) throws SQLException {
    StringBuilder all = new StringBuilder();
    for (String table : TpchLoader.TABLES) {
      all.append(fingerprint(connection, table));
    }
    return all.toString();
  }

  private static String fingerprint(Connection connection, String table) throws SQLException {
    return text(
        connection, "SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) FROM " + table + " t");
  }

  private static Map<String, Long> counts(Connection connection) throws SQLException {
    Map<String, Long> counts = new TreeMap<>();
    for (String table : TpchLoader.TABLES) {
      counts.put(table, Long.parseLong(text(connection, "SELECT count(*) FROM " + table)));
    }
    return counts;
  }

  private static String text(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query)) {
      result.next();
      return result.getString(1);
    }
  }

  private Connection connect() throws SQLException {
    return postgres.getDatabase("postgres", database).getConnection();
  }
}
