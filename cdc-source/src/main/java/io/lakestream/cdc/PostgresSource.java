package io.lakestream.cdc;

import io.lakestream.tables.change.SourcePosition;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Properties;

/**
 * One JDBC connection to a source: what its tables are, where its log stands. For one thread.
 *
 * <p>Every method throws a {@link io.lakestream.tables.error.LakestreamException}:
 * SOURCE_UNREACHABLE where the connection is lost, otherwise the code that its own comment names.
 */
public final class PostgresSource implements AutoCloseable {
  /** Prefix of the logical messages that markers and heartbeats are. */
  static final String MESSAGE_PREFIX = "lakestream";

  private static final String CONNECT_SECONDS = "10";
  private static final String ANSWER_SECONDS = "60";

  /** Reads one value out of the row that a result set stands on. */
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private final SourceConfig config;
  private final Connection connection;

  private PostgresSource(SourceConfig config, Connection connection) {
    this.config = config;
    this.connection = connection;
  }

  /**
   * Connects.
   *
   * @throws io.lakestream.tables.error.LakestreamException SOURCE_UNREACHABLE, SOURCE_REFUSED or
   *     SOURCE_NOT_READY, with the way out
   */
  public static PostgresSource open(SourceConfig config) {
    Properties properties = new Properties();
    properties.setProperty("user", config.user());
    properties.setProperty("password", config.password().reveal());
    properties.setProperty("ApplicationName", "lakestream " + config.name());
    properties.setProperty("connectTimeout", CONNECT_SECONDS);
    properties.setProperty("loginTimeout", CONNECT_SECONDS);
    properties.setProperty("socketTimeout", ANSWER_SECONDS);
    properties.setProperty("tcpKeepAlive", "true");
    properties.setProperty("options", valueOptions() + " -c search_path=pg_catalog");
    try {
      return new PostgresSource(config, DriverManager.getConnection(url(config), properties));
    } catch (SQLException e) {
      throw SourceErrors.ofConnect(config, e);
    }
  }

  /**
   * Settings of every connection of ours, Debezium's included: a role or a database may set others,
   * and then texts of dates and bytes would read differently.
   */
  static String valueOptions() {
    return "-c DateStyle=ISO -c bytea_output=hex -c extra_float_digits=1 -c row_security=off";
  }

  private static String url(SourceConfig config) {
    String host = config.host().contains(":") ? "[" + config.host() + "]" : config.host();
    return "jdbc:postgresql://"
        + host
        + ":"
        + config.port()
        + "/"
        + java.net.URLEncoder.encode(config.database(), java.nio.charset.StandardCharsets.UTF_8)
            .replace("+", "%20");
  }

  SourceConfig config() {
    return config;
  }

  /**
   * Finds what the configured patterns match.
   *
   * @return tables that can be captured, and those that cannot with the reason of each
   * @throws io.lakestream.tables.error.LakestreamException UNKNOWN_TABLE where the patterns match
   *     nothing
   */
  public Discovery discover() {
    return TableDiscovery.discover(this);
  }

  /**
   * Emits a transactional message into the source's log.
   *
   * @return the position that a cut must reach to hold every transaction that was committed before
   *     the call. The message's own transaction makes capture write such a cut
   */
  public SourcePosition mark() {
    // The message lies behind every commit record written before the call, and its own commit
    // record lies behind the message: the first cut that covers the returned position covers all
    // of those, and one comes without any further change in the source.
    return SourcePosition.parseLsn(
        one(
            "emit a marker into the log",
            "select pg_catalog.pg_logical_emit_message(true, ?, '')::text",
            row -> row.getString(1),
            MESSAGE_PREFIX));
  }

  /** Where the source's log ends now. */
  public SourcePosition currentPosition() {
    return SourcePosition.parseLsn(
        one(
            "read the position of the log",
            "select pg_catalog.pg_current_wal_insert_lsn()::text",
            row -> row.getString(1)));
  }

  /** Reads the only row of a query; null where there is none. */
  <T> T one(String what, String sql, RowReader<T> reader, Object... parameters) {
    java.util.List<T> rows = list(what, sql, reader, parameters);
    return rows.isEmpty() ? null : rows.get(0);
  }

  /** Reads all rows of a query. */
  <T> java.util.List<T> list(String what, String sql, RowReader<T> reader, Object... parameters) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      java.util.List<T> rows = new java.util.ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          rows.add(reader.read(result));
        }
      }
      return rows;
    } catch (SQLException e) {
      throw SourceErrors.ofStatement(config, what, e);
    }
  }

  /** Runs a statement; the caller maps the error. */
  void execute(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw SourceErrors.ofStatement(config, "close the connection", e);
    }
  }
}
