package io.lakestream.cdc.position;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Optional;

/**
 * What capture remembers of a table.
 *
 * @param schema of the table in the source
 * @param table in the source
 * @param fingerprint of the table when its copy began
 * @param pauseReason why it is paused; empty while it is captured
 * @param copied true once its copy is whole
 * @param copiedTo key of the last row copied, one text per key column; empty before the first chunk
 *     and once the copy is whole
 * @param copiedRows of the copy, so far or in all
 */
public record CapturedTable(
    String schema,
    String table,
    String fingerprint,
    String pauseReason,
    boolean copied,
    List<String> copiedTo,
    long copiedRows) {
  public CapturedTable {
    copiedTo = List.copyOf(copiedTo);
  }

  /** A table whose copy is still to begin. */
  public static CapturedTable toCopy(String schema, String table, String fingerprint) {
    return new CapturedTable(schema, table, fingerprint, "", false, List.of(), 0);
  }

  /** {@code <schema>.<table>}. */
  public String display() {
    return schema + "." + table;
  }

  @JsonIgnore
  public boolean isPaused() {
    return !pauseReason.isEmpty();
  }

  /** Where the copy goes on; empty for its beginning. */
  public Optional<List<String>> resumeAfter() {
    return copiedTo.isEmpty() ? Optional.empty() : Optional.of(copiedTo);
  }

  /** The same table, paused. */
  public CapturedTable paused(String reason) {
    return new CapturedTable(schema, table, fingerprint, reason, copied, copiedTo, copiedRows);
  }

  /** The same table, copied further. */
  public CapturedTable copiedTo(List<String> lastKey, long rows) {
    return new CapturedTable(schema, table, fingerprint, pauseReason, false, lastKey, rows);
  }

  /** The same table with a whole copy. */
  public CapturedTable whole() {
    return new CapturedTable(schema, table, fingerprint, pauseReason, true, List.of(), copiedRows);
  }
}
