package io.lakestream.cdc.postgres;

import io.lakestream.tables.schema.ColumnType;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Reads what {@link SelectList} selects, in the forms of StreamField. */
final class PostgresValues {
  private static final int SMALL_VALUE_BYTES = 8;

  private PostgresValues() {}

  /** A column of the row that {@code result} stands on; null for NULL. */
  static Object read(ResultSet result, int column, ColumnType type) throws SQLException {
    Object value =
        switch (type.kind()) {
          case BOOLEAN -> result.getBoolean(column);
          case SMALLINT, INT -> result.getInt(column);
          case BIGINT -> result.getLong(column);
          case FLOAT -> result.getFloat(column);
          case DOUBLE -> result.getDouble(column);
          case BYTES -> result.getBytes(column);
          case DATE -> date(result.getString(column));
          case TIMESTAMP, TIMESTAMP_LTZ -> timestamp(result.getString(column));
          case DECIMAL, STRING -> result.getString(column);
        };
    return result.wasNull() ? null : value;
  }

  private static Object date(String text) {
    return text == null ? null : (Object) PgText.parseDate(text);
  }

  private static Object timestamp(String text) {
    return text == null ? null : (Object) PgText.parseTimestamp(text);
  }

  /** About how many bytes a value takes. */
  static long bytes(Object value) {
    if (value instanceof String text) {
      return text.length();
    }
    return value instanceof byte[] bytes ? bytes.length : SMALL_VALUE_BYTES;
  }
}
