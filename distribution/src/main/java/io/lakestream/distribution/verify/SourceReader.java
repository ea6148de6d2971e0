package io.lakestream.distribution.verify;

import io.lakestream.cdc.postgres.PostgresSession;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.List;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Reads rows of a PostgreSQL database as the texts that the server itself prints. Needs SELECT on
 * the tables, nothing more. For one thread.
 */
public final class SourceReader implements AutoCloseable {
  private static final int FETCH_ROWS = 5_000;
  private static final int KEYS_PER_QUERY = 500;

  private final Connection connection;

  private SourceReader(Connection connection) {
    this.connection = connection;
  }

  /**
   * Connects.
   *
   * @throws LakestreamException SOURCE_UNREACHABLE
   */
  public static SourceReader open(SourceConfig config) {
    Properties properties = new Properties();
    properties.setProperty("user", config.user());
    properties.setProperty("password", config.password().reveal());
    // In binary transfer it would be the driver that prints, not the server.
    properties.setProperty("binaryTransfer", "false");
    properties.setProperty("ApplicationName", "lakestream verify");
    properties.setProperty("readOnly", "true");
    try {
      Connection connection =
          PostgresSession.open(
              config.host(),
              config.port(),
              config.database(),
              properties,
              "-c default_transaction_isolation=repeatable\\ read");
      connection.setAutoCommit(false);
      return new SourceReader(connection);
    } catch (SQLException e) {
      throw new LakestreamException(
          e,
          ErrorCode.SOURCE_UNREACHABLE,
          "Cannot connect to source %s at %s as %s: %s",
          config.name(),
          config.address(),
          config.user(),
          ErrorText.of(e));
    }
  }

  /** Fixes what all reads see until {@link #endSnapshot}: everything committed before this call. */
  public void beginSnapshot() {
    try {
      connection.rollback();
      execute(connection, "SELECT 1"); // the first query takes the snapshot
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  public void endSnapshot() {
    try {
      connection.rollback();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** Number of rows of a table. */
  long count(TableName table) {
    try (Statement statement = connection.createStatement();
        ResultSet count = statement.executeQuery("SELECT count(*) FROM " + quote(table))) {
      count.next();
      return count.getLong(1);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** Reads a whole table through a server-side cursor, in any order. */
  void readAll(TableDefinition table, RowText texts, Consumer<String[]> rows) {
    String sql = "SELECT " + columns(table.columns()) + " FROM " + quote(table.name());
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setFetchSize(FETCH_ROWS);
      read(statement, table, texts, rows);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /**
   * Reads the rows with given keys, in any order.
   *
   * @param keys values as text, in the order of the primary key
   */
  void readKeys(
      TableDefinition table,
      RowText texts,
      Collection<List<String>> keys,
      Consumer<String[]> rows) {
    List<List<String>> all = List.copyOf(keys);
    for (int from = 0; from < all.size(); from += KEYS_PER_QUERY) {
      readSomeKeys(
          table, texts, all.subList(from, Math.min(all.size(), from + KEYS_PER_QUERY)), rows);
    }
  }

  private void readSomeKeys(
      TableDefinition table, RowText texts, List<List<String>> keys, Consumer<String[]> rows) {
    List<Column> keyColumns =
        table.primaryKey().stream().map(name -> table.columns().get(table.indexOf(name))).toList();
    String one =
        keyColumns.stream()
            .map(column -> "?::text::" + column.sourceType())
            .collect(Collectors.joining(", ", "(", ")"));
    String sql =
        "SELECT "
            + columns(table.columns())
            + " FROM "
            + quote(table.name())
            + " WHERE ("
            + columns(keyColumns)
            + ") IN ("
            + keys.stream().map(key -> one).collect(Collectors.joining(", "))
            + ")";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int parameter = 1;
      for (List<String> key : keys) {
        for (String value : key) {
          statement.setString(parameter++, value);
        }
      }
      read(statement, table, texts, rows);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static void read(
      PreparedStatement statement, TableDefinition table, RowText texts, Consumer<String[]> rows)
      throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      int columns = table.columns().size();
      while (result.next()) {
        String[] row = new String[columns];
        for (int i = 0; i < columns; i++) {
          row[i] = texts.ofSource(i, result.getString(i + 1));
        }
        rows.accept(row);
      }
    }
  }

  private static String columns(List<Column> columns) {
    return columns.stream().map(column -> quote(column.name())).collect(Collectors.joining(", "));
  }

  private static String quote(TableName table) {
    return quote(table.schema()) + "." + quote(table.table());
  }

  private static String quote(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static LakestreamException failed(SQLException e) {
    return new LakestreamException(
        e, ErrorCode.SOURCE_UNREACHABLE, "Cannot read from the source: %s", ErrorText.of(e));
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw failed(e);
    }
  }
}
