package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.source.SourceTable;

/** Spells names and texts as MariaDB's SQL wants them. */
final class MariaDbSql {
  private MariaDbSql() {}

  static String quote(String identifier) {
    return '`' + identifier.replace("`", "``") + '`';
  }

  /** A table's name. */
  static String name(SourceTable table) {
    return name(table.definition().name().schema(), table.definition().name().table());
  }

  static String name(String schema, String table) {
    return quote(schema) + "." + quote(table);
  }

  /** An account as GRANT wants it, from what {@code current_user()} says. */
  static String account(String currentUser) {
    int at = currentUser.lastIndexOf('@');
    return literal(currentUser.substring(0, at)) + "@" + literal(currentUser.substring(at + 1));
  }

  static String literal(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "''") + "'";
  }
}
