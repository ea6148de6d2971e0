package io.lakestream.tables.schema;

import java.util.Optional;

/** Maps PostgreSQL's types. The only place that does. */
public final class PostgresTypes {
  private static final int MAX_PRECISION = 38;

  private PostgresTypes() {}

  /**
   * Finds the home of a type.
   *
   * @param typeName {@code pg_type.typname} of the column's type, domains resolved to their base
   *     type
   * @param typeKind {@code pg_type.typtype}: {@code b} base, {@code e} enum, {@code c} composite, …
   * @param precision of a {@code numeric}: digits in all, 0 where none is declared
   * @param scale of a {@code numeric}: digits behind the point; negative in PostgreSQL 15 and later
   * @return the type, or empty where it has no exact home
   */
  public static Optional<ColumnType> find(
      String typeName, char typeKind, int precision, int scale) {
    if (typeKind == 'e') {
      return Optional.of(ColumnType.STRING);
    }
    return switch (typeName) {
      case "bool" -> Optional.of(ColumnType.BOOLEAN);
      case "int2" -> Optional.of(ColumnType.SMALLINT);
      case "int4" -> Optional.of(ColumnType.INT);
      case "int8" -> Optional.of(ColumnType.BIGINT);
      case "float4" -> Optional.of(ColumnType.FLOAT);
      case "float8" -> Optional.of(ColumnType.DOUBLE);
      case "numeric" -> decimal(precision, scale);
      case "text", "varchar", "bpchar", "uuid", "json", "jsonb" -> Optional.of(ColumnType.STRING);
      case "bytea" -> Optional.of(ColumnType.BYTES);
      case "date" -> Optional.of(ColumnType.DATE);
      case "timestamp" -> Optional.of(ColumnType.TIMESTAMP);
      case "timestamptz" -> Optional.of(ColumnType.TIMESTAMP_LTZ);
      default -> Optional.empty();
    };
  }

  // Without a precision, or beyond 38 digits, the source may hold values that no DECIMAL can.
  private static Optional<ColumnType> decimal(int precision, int scale) {
    boolean exact =
        precision >= 1 && precision <= MAX_PRECISION && scale >= 0 && scale <= precision;
    return exact ? Optional.of(ColumnType.decimal(precision, scale)) : Optional.empty();
  }
}
