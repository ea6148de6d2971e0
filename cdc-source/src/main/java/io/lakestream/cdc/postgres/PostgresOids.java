package io.lakestream.cdc.postgres;

import io.lakestream.cdc.source.SourceTable.SourceColumn;

/** Object IDs of PostgreSQL's built-in types, which never change. */
final class PostgresOids {
  static final int BOOL = 16;
  static final int BYTEA = 17;
  static final int INT8 = 20;
  static final int INT2 = 21;
  static final int INT4 = 23;
  static final int JSON = 114;
  static final int FLOAT4 = 700;
  static final int FLOAT8 = 701;
  static final int BPCHAR = 1042;
  static final int VARCHAR = 1043;
  static final int TEXT = 25;
  static final int DATE = 1082;
  static final int TIMESTAMP = 1114;
  static final int TIMESTAMPTZ = 1184;
  static final int NUMERIC = 1700;
  static final int UUID = 2950;
  static final int JSONB = 3802;

  private PostgresOids() {}

  /** Stream type of a numeric; 0 digits where it is declared without any. */
  static String numeric(int precision, int scale) {
    return NUMERIC + "(" + precision + "," + scale + ")";
  }

  /** Object ID of a column's type, domains resolved to their base type. */
  static int of(SourceColumn column) {
    String type = column.streamType();
    int end = type.indexOf('(');
    return Integer.parseInt(end < 0 ? type : type.substring(0, end));
  }
}
