package io.lakestream.cdc.mariadb;

/** The types of columns as the binlog numbers them. */
final class WireType {
  static final int TINY = 1;
  static final int SHORT = 2;
  static final int LONG = 3;
  static final int FLOAT = 4;
  static final int DOUBLE = 5;
  static final int LONGLONG = 8;
  static final int INT24 = 9;
  static final int DATE = 10;
  static final int YEAR = 13;
  static final int NEWDATE = 14;
  static final int VARCHAR = 15;
  static final int BIT = 16;
  static final int TIMESTAMP2 = 17;
  static final int DATETIME2 = 18;
  static final int TIME2 = 19;
  static final int BLOB_COMPRESSED = 140;
  static final int VARCHAR_COMPRESSED = 141;
  static final int JSON = 245;
  static final int NEWDECIMAL = 246;
  static final int ENUM = 247;
  static final int SET = 248;
  static final int BLOB = 252;
  static final int VAR_STRING = 253;
  static final int STRING = 254;
  static final int GEOMETRY = 255;

  private static final int TWO_HIGH_BITS_OF_LENGTH = 0x30;

  private WireType() {}

  /** Reads what the log says of a column of this type, besides the type. */
  static int readMeta(int type, ByteCursor in) {
    return switch (type) {
      case FLOAT, DOUBLE, BLOB, BLOB_COMPRESSED, JSON, GEOMETRY, TIME2, DATETIME2, TIMESTAMP2 ->
          in.unsignedByte();
      case BIT, VARCHAR, VARCHAR_COMPRESSED, NEWDECIMAL -> (int) in.little(2);
      case ENUM, SET, STRING, VAR_STRING -> (int) in.big(2);
      default -> 0;
    };
  }

  /** Enums and sets call themselves strings. */
  static int real(int type, int meta) {
    int high = meta >> 8;
    return type == STRING && (high == ENUM || high == SET) ? high : type;
  }

  /** Longest value of a STRING, in bytes: the two high bits of the length hide in the type. */
  static int stringLength(int meta) {
    int high = meta >> 8;
    int low = meta & 0xff;
    return low | (((high & TWO_HIGH_BITS_OF_LENGTH) ^ TWO_HIGH_BITS_OF_LENGTH) << 4);
  }

  static boolean isNumber(int type) {
    return switch (type) {
      case TINY, SHORT, INT24, LONG, LONGLONG, NEWDECIMAL, FLOAT, DOUBLE, YEAR -> true;
      default -> false;
    };
  }

  /** True where the log names a collation, if only that of bytes. MariaDB does for geometries. */
  static boolean hasCollation(int type) {
    return switch (type) {
      case STRING, VAR_STRING, VARCHAR, BLOB, BLOB_COMPRESSED, VARCHAR_COMPRESSED, GEOMETRY -> true;
      default -> false;
    };
  }

  static boolean hasLabels(int type) {
    return type == ENUM || type == SET;
  }
}
