package io.lakestream.cdc.mariadb;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A column of a table that is copied: how it is selected, so that what comes is in the same form,
 * byte by byte, as what the stream makes of the log.
 *
 * @param name as the server spells it
 * @param dataType {@code information_schema.COLUMNS.DATA_TYPE}
 * @param precision bits of a BIT
 * @param charset of a text, enum or set; empty otherwise
 * @param collation of the same
 */
record CopyColumn(
    String name,
    String dataType,
    boolean unsigned,
    int precision,
    String charset,
    String collation) {
  private static final int OTHER_VALUE_BYTES = 8;

  private enum Form {
    INT,
    LONG,
    UNSIGNED_LONG,
    DECIMAL,
    FLOAT,
    DOUBLE,
    DATE,
    DATETIME,
    YEAR,
    BIT,
    TEXT,
    LABELS,
    BYTES,
    PRINTED
  }

  private Form form() {
    return switch (dataType) {
      case "tinyint", "smallint", "mediumint" -> Form.INT;
      case "int" -> unsigned ? Form.LONG : Form.INT;
      case "bigint" -> unsigned ? Form.UNSIGNED_LONG : Form.LONG;
      case "decimal" -> Form.DECIMAL;
      case "float" -> Form.FLOAT;
      case "double" -> Form.DOUBLE;
      case "date" -> Form.DATE;
      case "datetime", "timestamp" -> Form.DATETIME;
      case "year" -> Form.YEAR;
      case "bit" -> Form.BIT;
      case "enum", "set" -> Form.LABELS;
      case "time", "uuid", "inet4", "inet6" -> Form.PRINTED;
      default -> charset.isEmpty() ? Form.BYTES : Form.TEXT;
    };
  }

  private String quoted() {
    return MariaDbSql.quote(name);
  }

  /** What to select for the column's value. */
  String expression() {
    return switch (form()) {
      case INT, LONG, UNSIGNED_LONG, FLOAT, DOUBLE, BYTES -> quoted();
      case YEAR -> quoted() + "+0";
      case BIT -> "CAST(" + quoted() + " AS UNSIGNED)";
      // As bytes in the column's own character set, decoded by the one that decodes the log.
      case TEXT, LABELS -> "CAST(" + quoted() + " AS BINARY)";
      case DECIMAL, DATE, DATETIME, PRINTED -> "CAST(" + quoted() + " AS CHAR)";
    };
  }

  /** What to select, and to hand to {@link #bind}, to go on behind a row. */
  String keyExpression() {
    return switch (form()) {
      case TEXT -> "HEX(CAST(" + quoted() + " AS BINARY))";
      case BYTES -> "HEX(" + quoted() + ")";
      case YEAR, LABELS -> "CAST(" + quoted() + "+0 AS CHAR)";
      case BIT -> "CAST(CAST(" + quoted() + " AS UNSIGNED) AS CHAR)";
      default -> "CAST(" + quoted() + " AS CHAR)";
    };
  }

  /** The parameter that {@link #bind} fills, as an expression of the column's type. */
  String keyParameter() {
    return switch (form()) {
      case TEXT -> "CONVERT(UNHEX(?) USING " + charset + ") COLLATE " + collation;
      case BYTES -> "UNHEX(?)";
      default -> "?";
    };
  }

  /** The parameter for the text form of a value, as an expression to compare the column with. */
  String textParameter() {
    return switch (form()) {
      case TEXT -> "CONVERT(? USING " + charset + ") COLLATE " + collation;
      case BYTES -> "UNHEX(SUBSTR(?, 3))";
      default -> "?";
    };
  }

  /** Binds the text form of a value to {@link #textParameter}. */
  void bindText(PreparedStatement statement, int parameter, String text) throws SQLException {
    switch (form()) {
      case INT, LONG, UNSIGNED_LONG, DECIMAL, YEAR ->
          statement.setBigDecimal(parameter, new BigDecimal(text));
      case BIT -> statement.setBigDecimal(parameter, new BigDecimal(new BigInteger(text, 2)));
      default -> statement.setString(parameter, text);
    }
  }

  void bind(PreparedStatement statement, int parameter, String key) throws SQLException {
    switch (form()) {
      case INT, LONG, UNSIGNED_LONG, DECIMAL, YEAR, LABELS, BIT ->
          statement.setBigDecimal(parameter, new BigDecimal(key));
      default -> statement.setString(parameter, key);
    }
  }

  /** Reads the value; null for NULL. */
  Object read(ResultSet row, int index, TextDecoder decoder) throws SQLException {
    Object value =
        switch (form()) {
          case INT, YEAR -> row.getInt(index);
          case LONG -> row.getLong(index);
          case FLOAT -> row.getFloat(index);
          case DOUBLE -> row.getDouble(index);
          case BYTES -> row.getBytes(index);
          case TEXT, LABELS -> text(row.getBytes(index), decoder);
          case UNSIGNED_LONG, DECIMAL, DATE, DATETIME, BIT, PRINTED -> parse(row.getString(index));
        };
    return row.wasNull() ? null : value;
  }

  private static Object text(byte[] bytes, TextDecoder decoder) {
    return bytes == null ? null : decoder.decode(bytes);
  }

  private Object parse(String text) {
    if (text == null) {
      return null;
    }
    return switch (form()) {
      // A ZEROFILL column shows zeros in front.
      case UNSIGNED_LONG, DECIMAL -> new BigDecimal(text).toPlainString();
      case DATE -> Temporals.parseDate(text);
      case DATETIME -> Temporals.parseDatetime(text);
      case BIT -> CellReader.bitText(new BigInteger(text).toByteArray(), precision);
      default -> text;
    };
  }

  /** About how much memory a value takes. */
  static long bytes(Object value) {
    if (value instanceof byte[] bytes) {
      return bytes.length;
    }
    return value instanceof String text ? text.length() : OTHER_VALUE_BYTES;
  }
}
