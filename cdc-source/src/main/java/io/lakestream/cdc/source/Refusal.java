package io.lakestream.cdc.source;

import io.lakestream.tables.error.ErrorCode;

/**
 * A table that matches the patterns and cannot be captured.
 *
 * @param schema of the table, as the source spells it
 * @param table as the source spells it
 * @param code what stands in the way
 * @param reason one sentence that names it, and the way out
 */
public record Refusal(String schema, String table, ErrorCode code, String reason) {
  /** {@code <schema>.<table>}. */
  public String display() {
    return schema + "." + table;
  }
}
