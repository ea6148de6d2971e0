package io.lakestream.distribution.verify;

import io.lakestream.cdc.postgres.PostgresSession;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;

/** Reads a PostgreSQL; a whole table through a server-side cursor. */
final class PostgresReader extends SqlReader {
  private static final int FETCH_ROWS = 5_000;

  private PostgresReader(Connection connection) {
    super(connection, FETCH_ROWS);
  }

  static PostgresReader connect(SourceConfig config) throws SQLException {
    Properties properties = new Properties();
    // In binary transfer it would be the driver that prints, not the server.
    properties.setProperty("binaryTransfer", "false");
    properties.setProperty("ApplicationName", "lakestream verify");
    properties.setProperty("readOnly", "true");
    Connection connection =
        PostgresSession.open(
            config, properties, "-c default_transaction_isolation=repeatable\\ read");
    connection.setAutoCommit(false);
    return new PostgresReader(connection);
  }

  // The first query takes the snapshot.
  @Override
  String beginning() {
    return "SELECT 1";
  }

  @Override
  String quote(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  @Override
  String expression(Column column) {
    return quote(column.name());
  }

  @Override
  String read(ResultSet row, int index, Column column) throws SQLException {
    String text = row.getString(index);
    return text != null && column.type().kind() == ColumnType.Kind.BOOLEAN
        ? String.valueOf(text.equals("t"))
        : text;
  }

  @Override
  String anyOf(List<Column> keyColumns, int rows) {
    String one =
        keyColumns.stream()
            .map(column -> "?::text::" + column.sourceType())
            .collect(Collectors.joining(", ", "(", ")"));
    return keyColumns.stream()
            .map(column -> quote(column.name()))
            .collect(Collectors.joining(", ", "(", ")"))
        + " IN ("
        + String.join(", ", Collections.nCopies(rows, one))
        + ")";
  }

  @Override
  void bind(PreparedStatement statement, int parameter, Column column, String text)
      throws SQLException {
    statement.setString(parameter, text);
  }
}
