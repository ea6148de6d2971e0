package io.lakestream.cdc.postgres;

import io.lakestream.cdc.decode.RowDecoder;
import io.lakestream.cdc.decode.UnconvertibleValueException;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.tables.change.SourcePosition;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.fluss.row.GenericRow;

/**
 * Reads a table in the order of its primary key, each chunk in a transaction of its own, so that no
 * old snapshot holds vacuum up.
 */
final class PostgresCopy implements TableCopy {
  // Rows that are fetched at once: few enough that ten of 8 MB fit into a small heap.
  private static final int WIDE_FETCH = 10;
  private static final int FETCH = 2_000;
  private static final long WIDE_ROW_BYTES = 64 << 10;

  private final PostgresConnection connection;
  private final SourceTable table;
  private final RowDecoder.Values decoder;
  private int fetch = WIDE_FETCH;

  PostgresCopy(PostgresConnection connection, SourceTable table) {
    this.connection = connection;
    this.table = table;
    this.decoder = RowDecoder.values(table.definition());
  }

  private interface Reading {
    Chunk read(Connection jdbc, XidSnapshot seen) throws SQLException;
  }

  @Override
  public Chunk next(Optional<List<String>> after, int rows, long bytes) {
    return inSnapshot((jdbc, seen) -> read(jdbc, after, rows, bytes, seen));
  }

  @Override
  public Chunk row(List<String> key) {
    return inSnapshot((jdbc, seen) -> readRow(jdbc, key, seen));
  }

  private Chunk inSnapshot(Reading reading) {
    Connection jdbc = connection.jdbc();
    try {
      jdbc.setAutoCommit(false);
      jdbc.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      jdbc.setReadOnly(true);
      try {
        XidSnapshot seen = snapshot(jdbc);
        return reading.read(jdbc, seen);
      } finally {
        jdbc.rollback();
        jdbc.setAutoCommit(true);
      }
    } catch (SQLException e) {
      throw PostgresErrors.ofStatement(connection.config(), "copy table " + table.display(), e);
    }
  }

  // The snapshot of the whole transaction: of its first statement. The position is read after the
  // snapshot was taken, so that it lies behind every commit that the snapshot shows.
  private static XidSnapshot snapshot(Connection jdbc) throws SQLException {
    try (Statement statement = jdbc.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select pg_current_snapshot()::text, pg_current_wal_insert_lsn()::text")) {
      row.next();
      return XidSnapshot.parse(row.getString(1), SourcePosition.parseLsn(row.getString(2)));
    }
  }

  private Chunk readRow(Connection jdbc, List<String> key, XidSnapshot seen) throws SQLException {
    List<GenericRow> rows = new ArrayList<>();
    List<Unconvertible> unconvertible = new ArrayList<>();
    try (PreparedStatement statement = jdbc.prepareStatement(SelectList.wholeRow(table))) {
      for (int i = 0; i < key.size(); i++) {
        statement.setString(i + 1, key.get(i));
      }
      try (ResultSet result = statement.executeQuery()) {
        if (result.next()) {
          decode(values(result), rows, unconvertible);
        }
      }
    }
    return new Chunk(rows, Optional.empty(), unconvertible, seen);
  }

  private Object[] values(ResultSet result) throws SQLException {
    Object[] values = new Object[table.columns().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = value(result, i);
    }
    return values;
  }

  private Chunk read(
      Connection jdbc, Optional<List<String>> after, int limit, long bytes, XidSnapshot seen)
      throws SQLException {
    List<GenericRow> rows = new ArrayList<>();
    List<Unconvertible> unconvertible = new ArrayList<>();
    try (PreparedStatement statement =
        jdbc.prepareStatement(SelectList.rowsBehind(table, after.isPresent()))) {
      int parameter = 1;
      for (String text : after.orElse(List.of())) {
        statement.setString(parameter++, text);
      }
      statement.setInt(parameter, limit);
      statement.setFetchSize(fetch);
      long read = 0;
      int count = 0;
      List<String> lastKey = List.of();
      boolean full = false;
      try (ResultSet result = statement.executeQuery()) {
        while (!full && result.next()) {
          count++;
          Object[] values = values(result);
          for (Object value : values) {
            read += PostgresValues.bytes(value);
          }
          decode(values, rows, unconvertible);
          full = read >= bytes;
          if (full || count == limit) {
            lastKey = keyTexts(result);
          }
        }
      }
      fetch = count > 0 && read / count > WIDE_ROW_BYTES ? WIDE_FETCH : FETCH;
      boolean more = full || count == limit;
      return new Chunk(rows, more ? Optional.of(lastKey) : Optional.empty(), unconvertible, seen);
    }
  }

  private List<String> keyTexts(ResultSet result) throws SQLException {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < table.definition().primaryKey().size(); i++) {
      texts.add(result.getString(table.columns().size() + 1 + i));
    }
    return texts;
  }

  private Object value(ResultSet result, int index) throws SQLException {
    return PostgresValues.read(result, index + 1, table.definition().columns().get(index).type());
  }

  private void decode(Object[] values, List<GenericRow> rows, List<Unconvertible> unconvertible) {
    try {
      rows.add(decoder.decode(values));
    } catch (UnconvertibleValueException e) {
      unconvertible.add(
          new Unconvertible(
              decoder.keyJson(values), decoder.findKey(values), e.column(), e.reason(), e.value()));
    }
  }

  @Override
  public long estimateRows() {
    Long rows =
        connection.one(
            "estimate the rows of " + table.display(),
            "select reltuples::bigint from pg_class where oid = to_regclass(?)",
            row -> row.getLong(1),
            PostgresSql.name(table));
    return rows == null ? -1 : rows;
  }

  @Override
  public void close() {
    connection.close();
  }
}
