package io.lakestream.cdc.source;

import io.lakestream.tables.error.ErrorCode;

/**
 * A table that matches the patterns and cannot be captured.
 *
 * @param schema of the table, as the source spells it
 * @param table as the source spells it
 * @param code what stands in the way
 * @param problem the same as the middle of a sentence
 * @param fix the way out, whole sentences
 */
public record Refusal(String schema, String table, ErrorCode code, String problem, String fix) {
  /** {@code <schema>.<table>}. */
  public String display() {
    return schema + "." + table;
  }

  /** One line that names table and problem, and the way out. */
  public String reason() {
    return "Cannot capture table " + display() + ": " + problem + ". " + fix;
  }
}
