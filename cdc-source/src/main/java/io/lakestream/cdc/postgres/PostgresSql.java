package io.lakestream.cdc.postgres;

import io.lakestream.cdc.source.SourceTable;

/** Spells names and texts as PostgreSQL's SQL wants them. */
final class PostgresSql {
  private PostgresSql() {}

  static String quote(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  /** A table's name. */
  static String name(SourceTable table) {
    return quote(table.definition().name().schema())
        + "."
        + quote(table.definition().name().table());
  }

  static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
