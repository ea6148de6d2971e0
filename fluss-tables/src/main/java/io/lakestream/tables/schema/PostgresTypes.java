package io.lakestream.tables.schema;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Maps PostgreSQL's types. The only place that does; {@code lakestream types} prints it, and
 * docs/types.md holds the same lines.
 */
public final class PostgresTypes {
  private static final int MAX_PRECISION = 38;
  private static final String INFINITE =
      "infinity and -infinity go to quarantine, or are kept with type: text";

  /** Every built-in type, and the kinds of types that users make. */
  public static final List<TypeMapping> MAPPINGS =
      List.of(
          TypeMapping.of("boolean", ColumnType.BOOLEAN, "true", "", "bool"),
          TypeMapping.of("smallint, smallserial", ColumnType.SMALLINT, "-32768", "", "int2"),
          TypeMapping.of("integer, serial", ColumnType.INT, "-2147483648", "", "int4"),
          TypeMapping.of("bigint, bigserial", ColumnType.BIGINT, "9223372036854775807", "", "int8"),
          TypeMapping.of(
              "real", ColumnType.FLOAT, "1.1, NaN, -Infinity, -0", "not in a key", "float4"),
          TypeMapping.of(
              "double precision",
              ColumnType.DOUBLE,
              "1e-300, NaN, Infinity, -0",
              "not in a key",
              "float8"),
          TypeMapping.declared(
              "numeric(p,s) with p <= 38 and 0 <= s <= p",
              "DECIMAL(p, s)",
              "decimal(p, s)",
              "-0.01",
              "NaN goes to quarantine, or is kept with type: text",
              "numeric"),
          TypeMapping.of(
              "numeric otherwise",
              ColumnType.STRING,
              "1.500, NaN, -Infinity",
              "no precision, more than 38 digits, s < 0 or s > p; type: decimal(p,s) where all values fit"),
          TypeMapping.of(
              "character(n)", ColumnType.STRING, "'ab   '", "padded to n characters", "bpchar"),
          TypeMapping.of(
              "character varying, text", ColumnType.STRING, "any text", "", "varchar", "text"),
          TypeMapping.of("name, \"char\"", ColumnType.STRING, "pg_class", "", "name", "char"),
          TypeMapping.of("bytea", ColumnType.BYTES, "\\x00ff", "", "bytea"),
          TypeMapping.of(
              "date",
              ColumnType.DATE,
              "2024-02-29, 4713-01-01 BC, 5874897-12-31",
              "proleptic Gregorian; " + INFINITE,
              "date"),
          TypeMapping.of(
              "timestamp",
              ColumnType.TIMESTAMP,
              "0044-03-15 12:00:00.5 BC",
              "BIGINT: microseconds since 1970; " + INFINITE + ", and so after 294247-01-10",
              "timestamp"),
          TypeMapping.of(
              "timestamp with time zone",
              ColumnType.TIMESTAMP_LTZ,
              "2024-03-31 01:30:00.123456+00",
              "BIGINT: microseconds since 1970 in UTC; as timestamp",
              "timestamptz"),
          TypeMapping.of("time", ColumnType.STRING, "24:00:00, 01:02:03.000001", "", "time"),
          TypeMapping.of(
              "time with time zone",
              ColumnType.STRING,
              "01:02:03.5+05:30",
              "the zone stays",
              "timetz"),
          TypeMapping.of(
              "interval",
              ColumnType.STRING,
              "1 mon -3 days +04:05:06.000007",
              "IntervalStyle postgres",
              "interval"),
          TypeMapping.of(
              "uuid", ColumnType.STRING, "00000000-0000-0000-0000-0000000000ff", "", "uuid"),
          TypeMapping.of(
              "json", ColumnType.STRING, "{\"b\" : 1,  \"a\":2}", "every blank stays", "json"),
          TypeMapping.of(
              "jsonb, jsonpath",
              ColumnType.STRING,
              "{\"a\": 2, \"b\": 1}",
              "",
              "jsonb",
              "jsonpath"),
          TypeMapping.of("xml", ColumnType.STRING, "<a>1</a>", "", "xml"),
          TypeMapping.of(
              "money",
              ColumnType.STRING,
              "-$1,234.56",
              "lc_monetary of the capturing role: do not change it",
              "money"),
          TypeMapping.of(
              "bit(n), bit varying", ColumnType.STRING, "00000101", "every bit", "bit", "varbit"),
          TypeMapping.of(
              "inet, cidr", ColumnType.STRING, "192.168.1.1, 10.0.0.0/8", "", "inet", "cidr"),
          TypeMapping.of(
              "macaddr, macaddr8",
              ColumnType.STRING,
              "08:00:2b:01:02:03",
              "",
              "macaddr",
              "macaddr8"),
          TypeMapping.of(
              "point, line, lseg, box, path, polygon, circle",
              ColumnType.STRING,
              "(1.5,-2), {1,2,3}, <(0,0),1>",
              "",
              "point",
              "line",
              "lseg",
              "box",
              "path",
              "polygon",
              "circle"),
          TypeMapping.of(
              "tsvector, tsquery",
              ColumnType.STRING,
              "'fat':2 'rat':3A",
              "",
              "tsvector",
              "tsquery",
              "gtsvector"),
          TypeMapping.of(
              "oid, xid, xid8, cid, tid, pg_lsn",
              ColumnType.STRING,
              "4294967295, (0,1), 16/B374D848",
              "",
              "oid",
              "xid",
              "xid8",
              "cid",
              "tid",
              "pg_lsn"),
          TypeMapping.of(
              "regclass, regtype and the like",
              ColumnType.STRING,
              "public.orders, integer",
              "the name the object has when the change is read; schema named unless pg_catalog",
              "regclass",
              "regcollation",
              "regconfig",
              "regdatabase",
              "regdictionary",
              "regnamespace",
              "regoper",
              "regoperator",
              "regproc",
              "regprocedure",
              "regrole",
              "regtype"),
          TypeMapping.of(
              "pg_snapshot, txid_snapshot, aclitem, refcursor, int2vector, oidvector",
              ColumnType.STRING,
              "10:20:10,14, postgres=r/postgres",
              "",
              "pg_snapshot",
              "txid_snapshot",
              "aclitem",
              "refcursor",
              "int2vector",
              "oidvector"),
          TypeMapping.of(
              "PostgreSQL's own bookkeeping, as pg_node_tree",
              ColumnType.STRING,
              "as printed",
              "",
              "pg_node_tree",
              "pg_ndistinct",
              "pg_dependencies",
              "pg_mcv_list",
              "pg_brin_bloom_summary",
              "pg_brin_minmax_multi_summary"),
          TypeMapping.of(
              "arrays of any type", ColumnType.STRING, "{1,NULL,3}, {{\"a b\",c},{d,e}}", ""),
          TypeMapping.of(
              "ranges and multiranges of any type",
              ColumnType.STRING,
              "[1,5), empty, {[1,3),[7,9)}",
              ""),
          TypeMapping.of(
              "enums", ColumnType.STRING, "happy", "a renamed label is not seen in old rows"),
          TypeMapping.of("composite types", ColumnType.STRING, "(1,\"a b\",)", ""),
          TypeMapping.declared(
              "domains", "as their base type", "as their base type", "as their base type", ""),
          TypeMapping.of(
              "types of extensions: citext, hstore, ltree, vector, geometry …",
              ColumnType.STRING,
              "\"a\"=>\"1\"",
              ""),
          TypeMapping.declared(
              "generated columns",
              "refused",
              "refused",
              "-",
              "PostgreSQL does not replicate them; with type: skip the table is captured without"));

  private static final Map<String, TypeMapping> BY_NAME =
      MAPPINGS.stream()
          .flatMap(m -> m.catalogNames().stream().map(name -> Map.entry(name, m)))
          .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

  private PostgresTypes() {}

  /**
   * Finds the home of a type. Every type has one: what has no exact counterpart is text as
   * PostgreSQL prints it.
   *
   * @param typeName {@code pg_type.typname} of the column's type, domains resolved to their base
   *     type; with the schema in front unless it is pg_catalog
   * @param typeKind {@code pg_type.typtype}: {@code b} base, {@code e} enum, {@code c} composite, …
   * @param precision of a {@code numeric}: digits in all, 0 where none is declared
   * @param scale of a {@code numeric}: digits behind the point; negative in PostgreSQL 15 and later
   */
  public static ColumnType find(String typeName, char typeKind, int precision, int scale) {
    if (typeKind != 'b' || !BY_NAME.containsKey(typeName)) {
      return ColumnType.STRING;
    }
    return BY_NAME.get(typeName).home().orElseGet(() -> numeric(precision, scale));
  }

  /** True where a decimal holds every value of {@code numeric(precision, scale)} but NaN. */
  public static boolean isExactDecimal(int precision, int scale) {
    return precision >= 1 && precision <= MAX_PRECISION && scale >= 0 && scale <= precision;
  }

  private static ColumnType numeric(int precision, int scale) {
    return isExactDecimal(precision, scale)
        ? ColumnType.decimal(precision, scale)
        : ColumnType.STRING;
  }
}
