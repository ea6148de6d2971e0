package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.source.SourceTable;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the stream has to know of a captured table.
 *
 * @param columns by name
 * @param primaryKey names of the key columns
 */
record CapturedColumns(
    String schema, String table, Map<String, Known> columns, List<String> primaryKey) {
  private static final Known UNKNOWN = new Known("", "", ColumnType.STRING);

  /** A column as it was registered. */
  record Known(String dataType, String streamType, ColumnType home) {}

  static CapturedColumns of(SourceTable table) {
    Map<String, Known> columns = new HashMap<>();
    for (int i = 0; i < table.columns().size(); i++) {
      Column column = table.definition().columns().get(i);
      String declared = table.columns().get(i).castType();
      columns.put(
          column.name(),
          new Known(nameOf(declared), table.columns().get(i).streamType(), column.type()));
    }
    return new CapturedColumns(
        table.definition().name().schema(),
        table.definition().name().table(),
        Map.copyOf(columns),
        table.definition().primaryKey());
  }

  // A declared type begins with its name: int(10) unsigned, enum('a','b').
  private static String nameOf(String declared) {
    int end = 0;
    while (end < declared.length() && Character.isLetterOrDigit(declared.charAt(end))) {
      end++;
    }
    return declared.substring(0, end);
  }

  String dataType(String column) {
    return columns.getOrDefault(column, UNKNOWN).dataType();
  }

  String streamType(String column) {
    return columns.getOrDefault(column, UNKNOWN).streamType();
  }

  ColumnType home(String column) {
    return columns.getOrDefault(column, UNKNOWN).home();
  }

  String display() {
    return schema + "." + table;
  }
}
