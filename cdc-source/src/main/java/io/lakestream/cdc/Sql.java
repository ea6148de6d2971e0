package io.lakestream.cdc;

/** Spells names and texts as PostgreSQL's SQL wants them. */
final class Sql {
  private Sql() {}

  static String quote(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
