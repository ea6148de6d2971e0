package io.lakestream.cdc.postgres;

import io.lakestream.cdc.source.SourceTable;
import io.lakestream.tables.schema.Column;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Spells SELECT statements that read a table's values in the forms {@link ColumnValues} takes. */
public final class SelectList {
  private SelectList() {}

  /**
   * Selects all columns of the rows behind a key, in the key's order, and the text of each key
   * column to go on behind: a key may have no home. One text parameter per key column where {@code
   * resumed}, then the number of rows at most.
   */
  static String rowsBehind(SourceTable table, boolean resumed) {
    List<String> key = table.definition().primaryKey();
    // Qualified: an expression above may carry the name of the column that it reads.
    String names =
        key.stream().map(name -> "t." + PostgresSql.quote(name)).collect(Collectors.joining(", "));
    String parameters =
        key.stream()
            .map(name -> "cast(? as " + castType(table, name) + ")")
            .collect(Collectors.joining(", "));
    String texts =
        key.stream()
            .map(name -> printed("t." + PostgresSql.quote(name)))
            .collect(Collectors.joining(", "));
    return "SELECT "
        + allColumns(table)
        + ", "
        + texts
        + " FROM ONLY "
        + PostgresSql.name(table)
        + " AS t"
        + (resumed ? " WHERE (" + names + ") > (" + parameters + ")" : "")
        + " ORDER BY "
        + names
        + " LIMIT ?";
  }

  private static String castType(SourceTable table, String column) {
    return table.columns().get(table.definition().indexOf(column)).castType();
  }

  private static String allColumns(SourceTable table) {
    return IntStream.range(0, table.columns().size())
        .mapToObj(i -> expression(table, i))
        .collect(Collectors.joining(", "));
  }

  /** Selects all columns of one row; one text parameter per key column, in the key's order. */
  static String wholeRow(SourceTable table) {
    return oneRow(table, IntStream.range(0, table.columns().size()).boxed().toList());
  }

  /** Selects some columns of one row; one text parameter per key column, in the key's order. */
  public static String oneRow(SourceTable table, List<Integer> columns) {
    String selected =
        columns.stream().map(i -> expression(table, i)).collect(Collectors.joining(", "));
    String condition =
        table.definition().primaryKey().stream()
            .map(name -> PostgresSql.quote(name) + " = cast(? as " + castType(table, name) + ")")
            .collect(Collectors.joining(" and "));
    return "SELECT " + selected + " FROM ONLY " + PostgresSql.name(table) + " WHERE " + condition;
  }

  private static String expression(SourceTable table, int index) {
    Column column = table.definition().columns().get(index);
    String name = PostgresSql.quote(column.name());
    return switch (column.type().kind()) {
      case BOOLEAN, SMALLINT, INT, BIGINT, FLOAT, DOUBLE, DECIMAL, BYTES -> name;
      case STRING, DATE, TIMESTAMP, TIMESTAMP_LTZ -> printed(name) + " AS " + name;
    };
  }

  // What the type's output function prints, as the stream has it. A cast to text is another thing:
  // it cuts the padding of char(n) off and adds /32 to an address. IS NULL is another thing, too:
  // it holds for a composite value whose fields are all NULL.
  private static String printed(String name) {
    return "CASE WHEN pg_catalog.num_nulls("
        + name
        + ") = 0 THEN pg_catalog.format('%s', "
        + name
        + ") END";
  }
}
