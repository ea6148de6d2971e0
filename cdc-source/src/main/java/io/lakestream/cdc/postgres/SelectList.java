package io.lakestream.cdc.postgres;

import io.lakestream.cdc.source.SourceTable;
import io.lakestream.tables.schema.Column;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Spells SELECT statements that read a table's values in the forms {@link ColumnValues} takes. */
public final class SelectList {
  private SelectList() {}

  /** Selects all rows with all columns. */
  public static String wholeTable(SourceTable table) {
    String columns =
        IntStream.range(0, table.columns().size())
            .mapToObj(i -> expression(table, i))
            .collect(Collectors.joining(", "));
    return "SELECT " + columns + " FROM ONLY " + PostgresSql.name(table);
  }

  /** Selects some columns of one row; one text parameter per key column, in the key's order. */
  public static String oneRow(SourceTable table, List<Integer> columns) {
    String selected =
        columns.stream().map(i -> expression(table, i)).collect(Collectors.joining(", "));
    String condition =
        table.definition().primaryKey().stream()
            .map(
                name ->
                    PostgresSql.quote(name)
                        + " = cast(? as "
                        + table.columns().get(table.definition().indexOf(name)).castType()
                        + ")")
            .collect(Collectors.joining(" and "));
    return "SELECT " + selected + " FROM ONLY " + PostgresSql.name(table) + " WHERE " + condition;
  }

  private static String expression(SourceTable table, int index) {
    Column column = table.definition().columns().get(index);
    String name = PostgresSql.quote(column.name());
    return switch (PostgresOids.of(table.columns().get(index))) {
      case PostgresOids.BOOL,
          PostgresOids.INT2,
          PostgresOids.INT4,
          PostgresOids.INT8,
          PostgresOids.FLOAT4,
          PostgresOids.FLOAT8,
          PostgresOids.NUMERIC,
          PostgresOids.BYTEA,
          PostgresOids.TEXT,
          PostgresOids.VARCHAR,
          // A cast to text would take the padding away.
          PostgresOids.BPCHAR ->
          name;
      case PostgresOids.TIMESTAMPTZ -> "(" + name + " AT TIME ZONE 'UTC')::text AS " + name;
      default -> name + "::text AS " + name;
    };
  }
}
