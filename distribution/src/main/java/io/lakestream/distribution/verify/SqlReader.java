package io.lakestream.distribution.verify;

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
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** What the readers of all databases have in common; they differ in SQL and in texts. */
abstract class SqlReader implements SourceReader {
  private static final int KEYS_PER_QUERY = 500;

  private final Connection connection;
  private final int fetchRows;

  /**
   * @param fetchRows rows that the driver keeps at a time
   */
  SqlReader(Connection connection, int fetchRows) {
    this.connection = connection;
    this.fetchRows = fetchRows;
  }

  /** A name in quotes. */
  abstract String quote(String name);

  /** What to select, so that {@link #read} can make the value's text of it. */
  abstract String expression(Column column);

  /** The value's text; null for NULL. */
  abstract String read(ResultSet row, int index, Column column) throws SQLException;

  /** A condition with one parameter per key column and row that holds for the rows. */
  abstract String anyOf(List<Column> keyColumns, int rows);

  /** Sets one of those parameters. */
  abstract void bind(PreparedStatement statement, int parameter, Column column, String text)
      throws SQLException;

  /** The first statement of a snapshot, which fixes what it sees. */
  abstract String beginning();

  @Override
  public final void beginSnapshot() {
    endSnapshot();
    try (Statement statement = connection.createStatement()) {
      statement.execute(beginning());
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public final void endSnapshot() {
    try (Statement statement = connection.createStatement()) {
      statement.execute("ROLLBACK");
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public final long count(TableName table) {
    try (Statement statement = connection.createStatement();
        ResultSet count = statement.executeQuery("SELECT count(*) FROM " + quote(table))) {
      count.next();
      return count.getLong(1);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public final void readAll(TableDefinition table, Consumer<String[]> rows) {
    try (PreparedStatement statement = connection.prepareStatement(select(table))) {
      statement.setFetchSize(fetchRows);
      read(statement, table, rows);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  @Override
  public final void readKeys(
      TableDefinition table, Collection<List<String>> keys, Consumer<String[]> rows) {
    List<List<String>> all = List.copyOf(keys);
    for (int from = 0; from < all.size(); from += KEYS_PER_QUERY) {
      readSomeKeys(table, all.subList(from, Math.min(all.size(), from + KEYS_PER_QUERY)), rows);
    }
  }

  private void readSomeKeys(
      TableDefinition table, List<List<String>> keys, Consumer<String[]> rows) {
    List<Column> keyColumns =
        table.primaryKey().stream().map(name -> table.columns().get(table.indexOf(name))).toList();
    String sql = select(table) + " WHERE " + anyOf(keyColumns, keys.size());
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      int parameter = 1;
      for (List<String> key : keys) {
        for (int i = 0; i < keyColumns.size(); i++) {
          bind(statement, parameter++, keyColumns.get(i), key.get(i));
        }
      }
      statement.setFetchSize(fetchRows);
      read(statement, table, rows);
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private void read(PreparedStatement statement, TableDefinition table, Consumer<String[]> rows)
      throws SQLException {
    List<Column> columns = table.columns();
    try (ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        String[] row = new String[columns.size()];
        for (int i = 0; i < row.length; i++) {
          row[i] = read(result, i + 1, columns.get(i));
        }
        rows.accept(row);
      }
    }
  }

  private String select(TableDefinition table) {
    return "SELECT "
        + table.columns().stream().map(this::expression).collect(Collectors.joining(", "))
        + " FROM "
        + quote(table.name());
  }

  private String quote(TableName table) {
    return quote(table.schema()) + "." + quote(table.table());
  }

  private static LakestreamException failed(SQLException e) {
    return new LakestreamException(
        e, ErrorCode.SOURCE_UNREACHABLE, "Cannot read from the source: %s", ErrorText.of(e));
  }

  @Override
  public final void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw failed(e);
    }
  }
}
