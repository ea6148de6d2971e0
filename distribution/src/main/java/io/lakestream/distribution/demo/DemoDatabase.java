package io.lakestream.distribution.demo;

import io.lakestream.cdc.source.SourceType;
import io.lakestream.cdc.write.QuarantineLimits;
import io.lakestream.distribution.config.SourceSettings;
import io.lakestream.distribution.laptop.EmbeddedPostgres17;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The demo's database {@value #DATABASE} with its roles: {@value #OWNER} owns the tables and writes
 * to them, {@value #CAPTURE} captures.
 *
 * <p>Capture is no superuser. It has REPLICATION, and is a member of the owner's role because
 * PostgreSQL lets only owners put tables into a publication.
 */
final class DemoDatabase {
  /** Name of the source. */
  static final String SOURCE = "shop";

  private static final String HOST = "127.0.0.1";
  private static final String DATABASE = "shop";
  private static final String OWNER = "shop";
  private static final String CAPTURE = "lakestream";

  private final int port;

  private DemoDatabase(int port) {
    this.port = port;
  }

  /** Creates database and roles where they are missing. */
  static DemoDatabase prepare(EmbeddedPostgres17 postgres) {
    try (Connection connection = postgres.database("postgres").getConnection();
        Statement statement = connection.createStatement()) {
      createRole(statement, OWNER, "LOGIN");
      createRole(statement, CAPTURE, "LOGIN REPLICATION");
      statement.execute("GRANT " + OWNER + " TO " + CAPTURE);
      if (!exists(statement, "SELECT FROM pg_database WHERE datname = '" + DATABASE + "'")) {
        statement.execute("CREATE DATABASE " + DATABASE + " OWNER " + OWNER);
      }
      return new DemoDatabase(postgres.port());
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static void createRole(Statement statement, String name, String rights)
      throws SQLException {
    if (!exists(statement, "SELECT FROM pg_roles WHERE rolname = '" + name + "'")) {
      statement.execute("CREATE ROLE " + name + " " + rights);
    }
  }

  private static boolean exists(Statement statement, String query) throws SQLException {
    try (ResultSet found = statement.executeQuery(query)) {
      return found.next();
    }
  }

  /** A connection of the tables' owner; the caller closes it. */
  Connection connect() {
    try {
      return DriverManager.getConnection(
          "jdbc:postgresql://" + HOST + ":" + port + "/" + DATABASE + "?user=" + OWNER);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** What to capture. */
  SourceSettings source() {
    return new SourceSettings(
        SourceType.POSTGRES,
        HOST,
        port,
        DATABASE,
        CAPTURE,
        "",
        "",
        "disable",
        "",
        List.of("public.*"),
        List.of(),
        1,
        Duration.ofSeconds(1),
        "follow",
        QuarantineLimits.DEFAULT.rows(),
        Map.of());
  }

  /** How to come in from a shell. */
  String psql() {
    return "psql -h " + HOST + " -p " + port + " -U " + OWNER + " " + DATABASE;
  }

  static LakestreamException failed(SQLException e) {
    return new LakestreamException(
        e,
        ErrorCode.SOURCE_UNREACHABLE,
        "Cannot prepare the demo's PostgreSQL: %s",
        ErrorText.of(e));
  }
}
