package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.Tls;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** A JDBC connection to a MariaDB, with the settings that values are read under. For one thread. */
public final class MariaDbSession implements AutoCloseable {
  private static final String CONNECT_MS = "10000";
  private static final String NO_TLS = "ssl not enabled in the server";
  private static final String ANSWER_MS = "60000";

  /**
   * Under these settings a value reads the same whatever the server, the account and this JVM are
   * set to: timestamps in UTC, no padding cut or added, zero dates as they are, keys ordered by all
   * of their bytes.
   */
  private static final String SETTINGS =
      "SET time_zone='+00:00', sql_mode='ALLOW_INVALID_DATES', max_sort_length=8388608, wait_timeout=31536000,"
          + " net_write_timeout=600, autocommit=1, sql_select_limit=DEFAULT";

  /** Reads one value out of the row that a result set stands on. */
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private final SourceConfig config;
  private final Connection connection;

  private MariaDbSession(SourceConfig config, Connection connection) {
    this.config = config;
    this.connection = connection;
  }

  /**
   * Connects.
   *
   * @throws LakestreamException SOURCE_UNREACHABLE, SOURCE_REFUSED or SOURCE_NOT_READY, with the
   *     way out
   */
  static MariaDbSession open(SourceConfig config) {
    Properties properties = new Properties();
    properties.setProperty("socketTimeout", ANSWER_MS);
    properties.setProperty("connectionAttributes", "program_name:lakestream " + config.name());
    try {
      return new MariaDbSession(config, connect(config, properties));
    } catch (SQLException e) {
      throw MariaDbErrors.ofConnect(config, e);
    }
  }

  /**
   * Opens a connection that reads every value in the same form, whatever the server, the account
   * and this JVM are set to. Verification uses one, too.
   *
   * @param more of the driver's properties
   */
  public static Connection connect(SourceConfig config, Properties more) throws SQLException {
    Properties properties = new Properties();
    more.stringPropertyNames().forEach(n -> properties.setProperty(n, more.getProperty(n)));
    properties.setProperty("user", config.user());
    properties.setProperty("password", config.password().reveal());
    properties.setProperty("connectTimeout", CONNECT_MS);
    properties.setProperty("tcpKeepAlive", "true");
    // The binary protocol: texts of FLOAT have 6 digits only.
    properties.setProperty("useServerPrepStmts", "true");
    properties.setProperty("tinyInt1isBit", "false");
    properties.setProperty("yearIsDateType", "false");
    String host = config.host().contains(":") ? "[" + config.host() + "]" : config.host();
    String url = "jdbc:mariadb://" + host + ":" + config.port() + "/";
    Connection connection = encrypted(config.tls(), url, properties);
    try (Statement statement = connection.createStatement()) {
      statement.execute("USE " + MariaDbSql.quote(config.database()));
      statement.execute(SETTINGS);
      // At a lower level a consistent snapshot is none.
      statement.execute("SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ");
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  // The driver does not know how to prefer.
  private static Connection encrypted(Tls tls, String url, Properties properties)
      throws SQLException {
    properties.setProperty(
        "sslMode",
        switch (tls.mode()) {
          case DISABLE -> "disable";
          case PREFER, REQUIRE -> "trust";
          case VERIFY_CA -> "verify-ca";
          case VERIFY_FULL -> "verify-full";
        });
    if (!tls.rootCert().isEmpty()) {
      properties.setProperty("serverSslCert", tls.rootCert());
    }
    try {
      return DriverManager.getConnection(url, properties);
    } catch (SQLException e) {
      boolean cannot = String.valueOf(e.getMessage()).contains(NO_TLS);
      if (tls.mode() != Tls.Mode.PREFER || !cannot) {
        throw e;
      }
      properties.setProperty("sslMode", "disable");
      return DriverManager.getConnection(url, properties);
    }
  }

  SourceConfig config() {
    return config;
  }

  /** Where the binlog ends now. */
  SourcePosition binlogEnd() {
    SourcePosition end =
        one(
            "read the position of the binlog",
            "SHOW MASTER STATUS",
            row -> SourcePosition.ofBinlog(row.getString(1), row.getLong(2)));
    if (end == null) {
      throw new LakestreamException(
          ErrorCode.SOURCE_NOT_READY,
          "Cannot capture source %s: its server writes no binlog. Set log_bin in the server's configuration and restart MariaDB.",
          config.name());
    }
    return end;
  }

  /**
   * The newest transaction of each replication domain before a place, as GTIDs separated by commas;
   * null where the binlog has no such place.
   */
  String gtidsAt(BinlogPlace place) {
    return one(
        "find our place in the binlog",
        "SELECT BINLOG_GTID_POS(?, ?)",
        row -> row.getString(1),
        place.file(),
        place.offset());
  }

  /** Reads the only row of a query; null where there is none. */
  <T> T one(String what, String sql, RowReader<T> reader, Object... parameters) {
    List<T> rows = list(what, sql, reader, parameters);
    return rows.isEmpty() ? null : rows.get(0);
  }

  /** Reads all rows of a query. */
  <T> List<T> list(String what, String sql, RowReader<T> reader, Object... parameters) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      List<T> rows = new ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          rows.add(reader.read(result));
        }
      }
      return rows;
    } catch (SQLException e) {
      throw MariaDbErrors.ofStatement(config, what, e);
    }
  }

  /** Runs a statement. */
  void execute(String what, String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw MariaDbErrors.ofStatement(config, what, e);
    }
  }

  /** For statements with a shape of their own; the caller maps the error. */
  Connection connection() {
    return connection;
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw MariaDbErrors.ofStatement(config, "close the connection", e);
    }
  }
}
