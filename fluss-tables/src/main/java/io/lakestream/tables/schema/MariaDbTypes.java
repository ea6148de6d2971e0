package io.lakestream.tables.schema;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Maps MariaDB's types. The only place that does; {@code lakestream types} prints it, and
 * docs/types.md holds the same lines.
 */
public final class MariaDbTypes {
  private static final int MAX_PRECISION = 38;
  private static final String NO_DAY =
      "0000-00-00 and other days that the calendar does not have go to quarantine";

  /** Every built-in type. */
  public static final List<TypeMapping> MAPPINGS =
      List.of(
          TypeMapping.of(
              "tinyint, tinyint(1), boolean",
              ColumnType.SMALLINT,
              "-128, 2",
              "a number, never true or false",
              "tinyint",
              "tinyint unsigned"),
          TypeMapping.of("smallint", ColumnType.SMALLINT, "-32768", "", "smallint"),
          TypeMapping.of(
              "smallint unsigned, mediumint, mediumint unsigned",
              ColumnType.INT,
              "65535",
              "zeros in front of a ZEROFILL are no part of the value, here and below",
              "smallint unsigned",
              "mediumint",
              "mediumint unsigned"),
          TypeMapping.of("int", ColumnType.INT, "-2147483648", "", "int"),
          TypeMapping.of(
              "int unsigned, bigint",
              ColumnType.BIGINT,
              "4294967295",
              "",
              "int unsigned",
              "bigint"),
          TypeMapping.of(
              "bigint unsigned, serial",
              ColumnType.decimal(20, 0),
              "18446744073709551615",
              "",
              "bigint unsigned"),
          TypeMapping.declared(
              "decimal(p,s) with p <= 38",
              "DECIMAL(p, s)",
              "decimal(p, s)",
              "-0.01",
              "",
              "decimal"),
          TypeMapping.of("decimal(p,s) with p > 38", ColumnType.STRING, "-0.010", "every digit"),
          TypeMapping.of(
              "float",
              ColumnType.FLOAT,
              "1.1, 3.4028235e+38",
              "all bits; MariaDB itself prints six digits. Not in a key",
              "float"),
          TypeMapping.of("double", ColumnType.DOUBLE, "0.1, 1e-300", "not in a key", "double"),
          TypeMapping.of("bit(n)", ColumnType.STRING, "0000000101", "n digits", "bit"),
          TypeMapping.of(
              "date",
              ColumnType.DATE,
              "2024-02-29, 0001-01-01",
              NO_DAY + ", and so does the year 0",
              "date"),
          TypeMapping.of(
              "datetime",
              ColumnType.TIMESTAMP,
              "1582-10-10 12:34:56.000001",
              "BIGINT: microseconds since 1970; as date",
              "datetime"),
          TypeMapping.of(
              "timestamp",
              ColumnType.TIMESTAMP_LTZ,
              "2024-03-31 01:30:00.1+00",
              "BIGINT: microseconds since 1970 in UTC, whatever the zones of server and session; as date",
              "timestamp"),
          TypeMapping.of(
              "time", ColumnType.STRING, "-838:59:59.000000", "as many digits as declared", "time"),
          TypeMapping.of("year", ColumnType.SMALLINT, "2155, 0", "", "year"),
          TypeMapping.of(
              "char(n), varchar(n)",
              ColumnType.STRING,
              "any text",
              "code points, from any character set but big5, gbk, gb2312, sjis, cp932, ujis, eucjpms, euckr; blanks at the end of a char are no part of the value",
              "char",
              "varchar"),
          TypeMapping.of(
              "tinytext, text, mediumtext, longtext",
              ColumnType.STRING,
              "any text",
              "as varchar",
              "tinytext",
              "text",
              "mediumtext",
              "longtext"),
          TypeMapping.of("json", ColumnType.STRING, "{\"b\" : 1,  \"a\":2}", "every blank stays"),
          TypeMapping.of(
              "enum, set", ColumnType.STRING, "a,b", "labels, '' for none", "enum", "set"),
          TypeMapping.of(
              "binary(n)", ColumnType.BYTES, "\\x00ff0000", "padded to n bytes", "binary"),
          TypeMapping.of(
              "varbinary, tinyblob, blob, mediumblob, longblob",
              ColumnType.BYTES,
              "\\x00ff",
              "",
              "varbinary",
              "tinyblob",
              "blob",
              "mediumblob",
              "longblob"),
          TypeMapping.of(
              "uuid", ColumnType.STRING, "123e4567-e89b-12d3-a456-426614174000", "", "uuid"),
          TypeMapping.of(
              "inet4, inet6", ColumnType.STRING, "10.0.0.1, 2001:db8::1", "", "inet4", "inet6"),
          TypeMapping.of(
              "geometry, point, linestring, polygon and the like",
              ColumnType.BYTES,
              "\\x000000000101000000…",
              "as MariaDB keeps it: four bytes of SRID, then WKB",
              "geometry",
              "point",
              "linestring",
              "polygon",
              "multipoint",
              "multilinestring",
              "multipolygon",
              "geometrycollection"));

  private static final Map<String, ColumnType> BY_NAME =
      MAPPINGS.stream()
          .filter(mapping -> mapping.home().isPresent())
          .flatMap(
              mapping ->
                  mapping.catalogNames().stream()
                      .map(name -> Map.entry(name, mapping.home().orElseThrow())))
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

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
    if (dataType.equals("decimal")) {
      return Optional.of(
          precision <= MAX_PRECISION ? ColumnType.decimal(precision, scale) : ColumnType.STRING);
    }
    ColumnType home = BY_NAME.get(unsigned ? dataType + " unsigned" : dataType);
    return Optional.ofNullable(home == null ? BY_NAME.get(dataType) : home);
  }
}
