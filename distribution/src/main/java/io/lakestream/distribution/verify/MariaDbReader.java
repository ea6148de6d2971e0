package io.lakestream.distribution.verify;

import io.lakestream.cdc.mariadb.MariaDbSession;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.schema.Column;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads a MariaDB. Texts are the server's own but for floating-point numbers, of which it prints
 * six digits only: those come with all their bits.
 */
final class MariaDbReader extends SqlReader {
  // MariaDB sends a whole result without being asked for more: few rows at a time cost nothing.
  private static final int FETCH_ROWS = 20;
  private static final Pattern SOURCE_TYPE = Pattern.compile("([a-z0-9]+)(?:\\((\\d+).*)?.*");

  private MariaDbReader(Connection connection) {
    super(connection, FETCH_ROWS);
  }

  static MariaDbReader connect(SourceConfig config) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("connectionAttributes", "program_name:lakestream verify");
    return new MariaDbReader(MariaDbSession.connect(config, properties));
  }

  @Override
  String beginning() {
    return "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";
  }

  @Override
  String quote(String name) {
    return '`' + name.replace("`", "``") + '`';
  }

  @Override
  String expression(Column column) {
    String name = quote(column.name());
    Matcher type = sourceType(column);
    return switch (type.group(1)) {
      case "bit" -> "LPAD(BIN(" + name + "), " + type.group(2) + ", '0')";
      case "year" -> asText(name + "+0");
      case "tinyint", "smallint", "mediumint", "int", "bigint", "decimal" ->
          // The zeros in front are no part of the value.
          asText(column.sourceType().contains("zerofill") ? name + "+0" : name);
      case "date", "datetime", "timestamp", "time", "uuid", "inet4", "inet6" -> asText(name);
      default -> name;
    };
  }

  private static String asText(String expression) {
    return "CAST(" + expression + " AS CHAR)";
  }

  private static Matcher sourceType(Column column) {
    Matcher matcher = SOURCE_TYPE.matcher(column.sourceType());
    if (!matcher.matches()) {
      throw new IllegalStateException("No type of MariaDB: " + column.sourceType());
    }
    return matcher;
  }

  @Override
  String read(ResultSet row, int index, Column column) throws SQLException {
    String text =
        switch (column.type().kind()) {
          case FLOAT -> Float.toString(row.getFloat(index));
          case DOUBLE -> Double.toString(row.getDouble(index));
          case BYTES -> hex(row.getBytes(index));
          case TIMESTAMP -> withoutZeros(row.getString(index));
          case TIMESTAMP_LTZ -> withoutZeros(row.getString(index)) + "+00";
          default -> row.getString(index);
        };
    return row.wasNull() ? null : text;
  }

  private static String hex(byte[] bytes) {
    return bytes == null ? null : "\\x" + HexFormat.of().formatHex(bytes);
  }

  // As many digits of a second as the value has, not as many as the column.
  private static String withoutZeros(String text) {
    return text == null || text.indexOf('.') < 0 ? text : text.replaceFirst("\\.?0+$", "");
  }

  // Other than row values in an IN, this finds its rows through the index.
  @Override
  String anyOf(List<Column> keyColumns, int rows) {
    String one =
        keyColumns.stream()
            .map(column -> quote(column.name()) + " = " + parameter(column))
            .collect(Collectors.joining(" AND ", "(", ")"));
    return String.join(" OR ", Collections.nCopies(rows, one));
  }

  private static String parameter(Column column) {
    if (sourceType(column).group(1).equals("bit")) {
      return "CAST(CONV(?, 2, 10) AS UNSIGNED)";
    }
    return switch (column.type().kind()) {
      case BYTES -> "UNHEX(?)";
      default -> "?";
    };
  }

  @Override
  void bind(PreparedStatement statement, int parameter, Column column, String text)
      throws SQLException {
    switch (column.type().kind()) {
      // As a text it would be compared as a floating-point number.
      case SMALLINT, INT, BIGINT, DECIMAL ->
          statement.setBigDecimal(parameter, new BigDecimal(text));
      case BYTES -> statement.setString(parameter, text.substring("\\x".length()));
      case TIMESTAMP_LTZ ->
          statement.setString(parameter, text.substring(0, text.length() - "+00".length()));
      default -> {
        if (sourceType(column).group(1).equals("decimal")) {
          statement.setBigDecimal(parameter, new BigDecimal(text));
        } else {
          statement.setString(parameter, text);
        }
      }
    }
  }
}
