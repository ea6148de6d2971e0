package io.lakestream.cdc.postgres;

import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.PostgresTypes;
import java.util.List;

/** Object IDs of the built-in types that are not text, which never change, and their forms. */
final class PostgresOids {
  static final int BOOL = 16;
  static final int BYTEA = 17;
  static final int INT8 = 20;
  static final int INT2 = 21;
  static final int INT4 = 23;
  static final int FLOAT4 = 700;
  static final int FLOAT8 = 701;
  static final int VARCHAR = 1043;
  static final int TEXT = 25;
  static final int DATE = 1082;
  static final int TIMESTAMP = 1114;
  static final int TIMESTAMPTZ = 1184;
  static final int NUMERIC = 1700;

  /** Types that the stream tells apart; all others are text to it. */
  static final List<Integer> ROOTS =
      List.of(
          BOOL,
          BYTEA,
          INT8,
          INT2,
          INT4,
          TEXT,
          FLOAT4,
          FLOAT8,
          DATE,
          TIMESTAMP,
          TIMESTAMPTZ,
          NUMERIC);

  private PostgresOids() {}

  /** The one of {@link #ROOTS} that stands for a type, domains resolved. */
  static int root(int type) {
    return ROOTS.contains(type) ? type : TEXT;
  }

  /** The form in which the stream has values of a type, unless they are taken as text. */
  static ColumnType form(int type) {
    return switch (type) {
      case BOOL -> ColumnType.BOOLEAN;
      case INT2 -> ColumnType.SMALLINT;
      case INT4 -> ColumnType.INT;
      case INT8 -> ColumnType.BIGINT;
      case FLOAT4 -> ColumnType.FLOAT;
      case FLOAT8 -> ColumnType.DOUBLE;
      case BYTEA -> ColumnType.BYTES;
      case DATE -> ColumnType.DATE;
      case TIMESTAMP -> ColumnType.TIMESTAMP;
      case TIMESTAMPTZ -> ColumnType.TIMESTAMP_LTZ;
      default -> ColumnType.STRING;
    };
  }

  /** True for types that become one another without a change of any text. */
  static boolean isPlainText(int type) {
    return type == TEXT || type == VARCHAR;
  }

  /** Stream type of a numeric; without digits where a decimal does not hold it. */
  static String numeric(int precision, int scale) {
    return PostgresTypes.isExactDecimal(precision, scale)
        ? NUMERIC + "(" + precision + "," + scale + ")"
        : String.valueOf(NUMERIC);
  }
}
