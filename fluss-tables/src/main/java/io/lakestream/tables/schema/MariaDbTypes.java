package io.lakestream.tables.schema;

import java.util.Optional;

/** Maps MariaDB's types. The only place that does. */
public final class MariaDbTypes {
  private static final int MAX_PRECISION = 38;
  private static final int MAX_DIGITS_OF_BIGINT_UNSIGNED = 20;

  private MariaDbTypes() {}

  /**
   * Finds the home of a type.
   *
   * @param dataType {@code information_schema.COLUMNS.DATA_TYPE}
   * @param unsigned true for an unsigned number
   * @param precision of a decimal: digits in all
   * @param scale of a decimal: digits behind the point
   * @return the type, or empty where it has no exact home
   */
  public static Optional<ColumnType> find(
      String dataType, boolean unsigned, int precision, int scale) {
    return switch (dataType) {
      case "tinyint", "year" -> Optional.of(ColumnType.SMALLINT);
      case "smallint" -> Optional.of(unsigned ? ColumnType.INT : ColumnType.SMALLINT);
      case "mediumint" -> Optional.of(ColumnType.INT);
      case "int" -> Optional.of(unsigned ? ColumnType.BIGINT : ColumnType.INT);
      case "bigint" ->
          Optional.of(
              unsigned
                  ? ColumnType.decimal(MAX_DIGITS_OF_BIGINT_UNSIGNED, 0)
                  : ColumnType.BIGINT);
      case "decimal" ->
          Optional.of(
              precision <= MAX_PRECISION
                  ? ColumnType.decimal(precision, scale)
                  : ColumnType.STRING);
      case "float" -> Optional.of(ColumnType.FLOAT);
      case "double" -> Optional.of(ColumnType.DOUBLE);
      case "date" -> Optional.of(ColumnType.DATE);
      case "datetime" -> Optional.of(ColumnType.TIMESTAMP);
      case "timestamp" -> Optional.of(ColumnType.TIMESTAMP_LTZ);
      case "time",
          "bit",
          "char",
          "varchar",
          "tinytext",
          "text",
          "mediumtext",
          "longtext",
          "enum",
          "set",
          "uuid",
          "inet4",
          "inet6" ->
          Optional.of(ColumnType.STRING);
      case "binary",
          "varbinary",
          "tinyblob",
          "blob",
          "mediumblob",
          "longblob",
          "geometry",
          "point",
          "linestring",
          "polygon",
          "multipoint",
          "multilinestring",
          "multipolygon",
          "geometrycollection" ->
          Optional.of(ColumnType.BYTES);
      default -> Optional.empty();
    };
  }
}
