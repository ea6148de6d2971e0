package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.mariadb.TableMap.WireColumn;

/**
 * One name per type, as far as values depend on it, whether the catalog describes the type or the
 * binlog does. Where the two names differ, the column changed.
 */
final class StreamType {
  private StreamType() {}

  /**
   * What the catalog says.
   *
   * @param dataType {@code information_schema.COLUMNS.DATA_TYPE}
   * @param precision digits of a decimal, bits of a BIT
   * @param scale digits behind the point of a decimal or of a time
   * @param octets longest value in bytes
   */
  static String ofCatalog(
      String dataType, boolean unsigned, int precision, int scale, long octets) {
    return switch (dataType) {
      case "tinyint", "smallint", "mediumint", "int", "bigint" -> integer(dataType, unsigned);
      case "decimal" -> "decimal(" + precision + "," + scale + ")";
      case "bit" -> "bit(" + precision + ")";
      case "time", "datetime", "timestamp" -> dataType + "(" + scale + ")";
      case "binary" -> "binary(" + octets + ")";
      case "char", "varchar", "tinytext", "text", "mediumtext", "longtext" -> "text";
      case "varbinary", "tinyblob", "blob", "mediumblob", "longblob" -> "bytes";
      case "point",
          "linestring",
          "polygon",
          "multipoint",
          "multilinestring",
          "multipolygon",
          "geometrycollection" ->
          "geometry";
      default -> dataType;
    };
  }

  /**
   * What the binlog says.
   *
   * @param dataType what the catalog calls the column's type; tells apart what is the same in the
   *     log
   */
  static String ofLog(WireColumn column, String dataType, Charsets charsets) {
    int meta = column.meta();
    return switch (column.type()) {
      case WireType.TINY -> integer("tinyint", column.unsigned());
      case WireType.SHORT -> integer("smallint", column.unsigned());
      case WireType.INT24 -> integer("mediumint", column.unsigned());
      case WireType.LONG -> integer("int", column.unsigned());
      case WireType.LONGLONG -> integer("bigint", column.unsigned());
      case WireType.FLOAT -> "float";
      case WireType.DOUBLE -> "double";
      case WireType.NEWDECIMAL -> "decimal(" + (meta & 0xff) + "," + (meta >> 8) + ")";
      case WireType.DATE, WireType.NEWDATE -> "date";
      case WireType.YEAR -> "year";
      case WireType.DATETIME2 -> "datetime(" + meta + ")";
      case WireType.TIMESTAMP2 -> "timestamp(" + meta + ")";
      case WireType.TIME2 -> "time(" + meta + ")";
      case WireType.BIT -> "bit(" + ((meta >> 8) * 8 + (meta & 0xff)) + ")";
      case WireType.VARCHAR, WireType.VAR_STRING, WireType.BLOB, WireType.STRING ->
          string(column, dataType, charsets);
      case WireType.GEOMETRY -> "geometry";
      case WireType.ENUM -> labels("enum", column, charsets);
      case WireType.SET -> labels("set", column, charsets);
      default -> "type " + column.type();
    };
  }

  private static String integer(String name, boolean unsigned) {
    return unsigned ? name + " unsigned" : name;
  }

  private static String labels(String name, WireColumn column, Charsets charsets) {
    String charset = charsets.ofCollation(column.collation());
    return charsets.knows(charset) ? name : name + " in " + charset;
  }

  private static String string(WireColumn column, String dataType, Charsets charsets) {
    String charset = charsets.ofCollation(column.collation());
    if (!charset.equals("binary")) {
      return charsets.knows(charset) ? "text" : "text in " + charset;
    }
    if (column.type() != WireType.STRING) {
      return "bytes";
    }
    int length = WireType.stringLength(column.meta());
    boolean named =
        switch (dataType) {
          case "uuid", "inet6" -> length == 16;
          case "inet4" -> length == 4;
          default -> false;
        };
    return named ? dataType : "binary(" + length + ")";
  }
}
