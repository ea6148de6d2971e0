package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.decode.RowDecoder;
import io.lakestream.cdc.decode.UnconvertibleValueException;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.Column;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.fluss.row.GenericRow;

/**
 * Reads a table in the order of its primary key, each chunk in a consistent snapshot of its own:
 * MariaDB tells the very place in the binlog at which such a snapshot was taken.
 */
final class MariaDbCopy implements TableCopy {
  private static final String COLUMNS =
      """
      SELECT COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, COALESCE(NUMERIC_PRECISION, 0),
        COALESCE(CHARACTER_SET_NAME, ''), COALESCE(COLLATION_NAME, '')
      FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?
      """;
  private static final int FETCH = 500;
  private static final int WIDE_FETCH = 8;
  private static final long WIDE_ROW_BYTES = 64 << 10;

  private final MariaDbSession session;
  private final SourceTable table;
  private final List<CopyColumn> columns;
  private final List<CopyColumn> key;
  private final TextDecoder[] decoders;
  private final RowDecoder.Values rows;
  // Rows that a chunk had room for: MariaDB sends a result to its end, whether it is read or not.
  private int room = Integer.MAX_VALUE;
  private int fetch = WIDE_FETCH;

  private MariaDbCopy(
      MariaDbSession session,
      SourceTable table,
      Map<String, CopyColumn> byName,
      Charsets charsets) {
    this.session = session;
    this.table = table;
    this.columns =
        table.definition().columns().stream().map(column -> byName.get(column.name())).toList();
    this.key = table.definition().primaryKey().stream().map(byName::get).toList();
    this.decoders =
        columns.stream()
            .map(column -> charsets.find(column.charset()).orElse(null))
            .toArray(TextDecoder[]::new);
    this.rows = RowDecoder.values(table.definition());
  }

  /** Opens a copy on a connection of its own. */
  static MariaDbCopy open(SourceConfig config, SourceTable table) {
    MariaDbSession session = MariaDbSession.open(config);
    try {
      Map<String, CopyColumn> byName =
          session
              .list(
                  "list the columns",
                  COLUMNS,
                  MariaDbCopy::column,
                  table.definition().name().schema(),
                  table.definition().name().table())
              .stream()
              .collect(Collectors.toMap(CopyColumn::name, Function.identity()));
      for (Column column : table.definition().columns()) {
        if (!byName.containsKey(column.name())) {
          throw new LakestreamException(
              ErrorCode.SOURCE_NOT_READY,
              "Cannot copy table %s: column %s is gone from the source.",
              table.display(),
              column.name());
        }
      }
      return new MariaDbCopy(session, table, byName, Charsets.load(session));
    } catch (LakestreamException e) {
      session.close();
      throw e;
    }
  }

  private static CopyColumn column(ResultSet row) throws SQLException {
    return new CopyColumn(
        row.getString(1),
        row.getString(2),
        row.getString(3).contains(" unsigned"),
        row.getInt(4),
        row.getString(5),
        row.getString(6));
  }

  private interface Reading {
    Chunk read(Connection jdbc, BinlogSeen seen) throws SQLException;
  }

  @Override
  public Chunk next(Optional<List<String>> after, int limit, long bytes) {
    return inSnapshot((jdbc, seen) -> read(jdbc, after, limit, bytes, seen));
  }

  @Override
  public Chunk row(List<String> keyTexts) {
    return inSnapshot((jdbc, seen) -> readRow(jdbc, keyTexts, seen));
  }

  private Chunk inSnapshot(Reading reading) {
    Connection jdbc = session.connection();
    try (Statement statement = jdbc.createStatement()) {
      BinlogSeen seen = BinlogSeen.begin(session.config(), statement);
      try {
        return reading.read(jdbc, seen);
      } finally {
        statement.execute("COMMIT");
      }
    } catch (SQLException e) {
      throw MariaDbErrors.ofStatement(session.config(), "copy table " + table.display(), e);
    }
  }

  private String select(boolean behind, int limit) {
    List<String> selected = new ArrayList<>();
    columns.forEach(column -> selected.add(column.expression()));
    key.forEach(column -> selected.add(column.keyExpression()));
    String order =
        table.definition().primaryKey().stream()
            .map(MariaDbSql::quote)
            .collect(Collectors.joining(", "));
    return "SELECT "
        + String.join(", ", selected)
        + " FROM "
        + MariaDbSql.name(table)
        + (behind ? " WHERE " + behindKey() : "")
        + " ORDER BY "
        + order
        + " LIMIT "
        + limit;
  }

  // k1 >= ? AND (k1 > ? OR (k1 = ? AND (k2 > ? OR …))): the first condition is what the server
  // finds its way in the index with.
  private String behindKey() {
    StringBuilder condition = new StringBuilder();
    CopyColumn first = key.get(0);
    condition.append(compare(first, " >= ")).append(" AND (");
    for (int i = 0; i < key.size(); i++) {
      condition.append(compare(key.get(i), " > "));
      if (i + 1 < key.size()) {
        condition.append(" OR (").append(compare(key.get(i), " = ")).append(" AND (");
      }
    }
    return condition.append("))".repeat(key.size() - 1)).append(')').toString();
  }

  private static String compare(CopyColumn column, String operator) {
    return MariaDbSql.quote(column.name()) + operator + column.keyParameter();
  }

  private void bind(PreparedStatement statement, List<String> after) throws SQLException {
    int parameter = 1;
    key.get(0).bind(statement, parameter++, after.get(0));
    for (int i = 0; i < key.size(); i++) {
      key.get(i).bind(statement, parameter++, after.get(i));
      if (i + 1 < key.size()) {
        key.get(i).bind(statement, parameter++, after.get(i));
      }
    }
  }

  private Chunk readRow(Connection jdbc, List<String> keyTexts, BinlogSeen seen)
      throws SQLException {
    String sql =
        "SELECT "
            + columns.stream().map(CopyColumn::expression).collect(Collectors.joining(", "))
            + " FROM "
            + MariaDbSql.name(table)
            + " WHERE "
            + key.stream()
                .map(column -> MariaDbSql.quote(column.name()) + " = " + column.textParameter())
                .collect(Collectors.joining(" AND "));
    List<GenericRow> read = new ArrayList<>();
    List<Unconvertible> unconvertible = new ArrayList<>();
    try (PreparedStatement statement = jdbc.prepareStatement(sql)) {
      for (int i = 0; i < keyTexts.size(); i++) {
        key.get(i).bindText(statement, i + 1, keyTexts.get(i));
      }
      try (ResultSet result = statement.executeQuery()) {
        if (result.next()) {
          decode(values(result), read, unconvertible);
        }
      }
    }
    return new Chunk(read, Optional.empty(), unconvertible, seen);
  }

  private Object[] values(ResultSet result) throws SQLException {
    Object[] values = new Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = columns.get(i).read(result, i + 1, decoders[i]);
    }
    return values;
  }

  private Chunk read(
      Connection jdbc, Optional<List<String>> after, int limit, long bytes, BinlogSeen seen)
      throws SQLException {
    int most = Math.min(limit, room);
    List<GenericRow> read = new ArrayList<>();
    List<Unconvertible> unconvertible = new ArrayList<>();
    long size = 0;
    int count = 0;
    List<String> lastKey = List.of();
    try (PreparedStatement statement = jdbc.prepareStatement(select(after.isPresent(), most))) {
      if (after.isPresent()) {
        bind(statement, after.get());
      }
      statement.setFetchSize(fetch);
      try (ResultSet result = statement.executeQuery()) {
        while (size < bytes && result.next()) {
          count++;
          Object[] values = values(result);
          for (Object value : values) {
            size += CopyColumn.bytes(value);
          }
          lastKey = key(result);
          decode(values, read, unconvertible);
        }
      }
    }
    boolean more = count == most || size >= bytes;
    if (size >= bytes) {
      room = Math.max(1, count);
    } else if (room < Integer.MAX_VALUE) {
      room = room * 2 > limit ? Integer.MAX_VALUE : room * 2;
    }
    fetch = count > 0 && size / count > WIDE_ROW_BYTES ? WIDE_FETCH : FETCH;
    return new Chunk(read, more ? Optional.of(lastKey) : Optional.empty(), unconvertible, seen);
  }

  private List<String> key(ResultSet result) throws SQLException {
    List<String> texts = new ArrayList<>(key.size());
    for (int i = 0; i < key.size(); i++) {
      texts.add(result.getString(columns.size() + 1 + i));
    }
    return texts;
  }

  private void decode(Object[] values, List<GenericRow> read, List<Unconvertible> unconvertible) {
    try {
      read.add(rows.decode(values));
    } catch (UnconvertibleValueException e) {
      unconvertible.add(
          new Unconvertible(
              rows.keyJson(values), rows.findKey(values), e.column(), e.reason(), e.value()));
    }
  }

  @Override
  public long estimateRows() {
    Long estimate =
        session.one(
            "estimate the rows of " + table.display(),
            "SELECT TABLE_ROWS FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?",
            row -> row.getObject(1) == null ? -1 : row.getLong(1),
            table.definition().name().schema(),
            table.definition().name().table());
    return estimate == null ? -1 : estimate;
  }

  @Override
  public void close() {
    session.close();
  }
}
