package io.lakestream.distribution.demo;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Statements of the workload: the text, its arguments, its rows. For one thread. */
final class Sql {
  private final Connection connection;

  Sql(Connection connection) {
    this.connection = connection;
  }

  /** Runs a statement and returns the number of rows it changed. */
  int update(String sql, Object... arguments) throws SQLException {
    try (PreparedStatement statement = prepare(sql, arguments)) {
      return statement.executeUpdate();
    }
  }

  /** Runs one statement for each list of arguments, in one trip to the server. */
  void updateAll(String sql, List<Object[]> rows) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (Object[] row : rows) {
        bind(statement, row);
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  List<Object[]> rows(String sql, Object... arguments) throws SQLException {
    try (PreparedStatement statement = prepare(sql, arguments);
        ResultSet result = statement.executeQuery()) {
      int columns = result.getMetaData().getColumnCount();
      List<Object[]> rows = new ArrayList<>();
      while (result.next()) {
        Object[] row = new Object[columns];
        for (int i = 0; i < columns; i++) {
          row[i] = result.getObject(i + 1);
        }
        rows.add(row);
      }
      return rows;
    }
  }

  Optional<Object[]> firstRow(String sql, Object... arguments) throws SQLException {
    return rows(sql, arguments).stream().findFirst();
  }

  private PreparedStatement prepare(String sql, Object[] arguments) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    bind(statement, arguments);
    return statement;
  }

  private static void bind(PreparedStatement statement, Object[] arguments) throws SQLException {
    for (int i = 0; i < arguments.length; i++) {
      statement.setObject(i + 1, arguments[i]);
    }
  }
}
