package io.lakestream.cdc.position;

/**
 * What capture remembers of a table of its initial copy.
 *
 * @param schema of the table in the source
 * @param table in the source
 * @param fingerprint of the table when it was copied
 * @param pauseReason why it is paused; empty while it is captured
 */
public record CapturedTable(String schema, String table, String fingerprint, String pauseReason) {
  /** {@code <schema>.<table>}. */
  public String display() {
    return schema + "." + table;
  }

  public boolean isPaused() {
    return !pauseReason.isEmpty();
  }

  /** The same table, paused. */
  public CapturedTable paused(String reason) {
    return new CapturedTable(schema, table, fingerprint, reason);
  }
}
