package io.lakestream.cdc.position;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Map;

/**
 * What capture remembers of a table.
 *
 * @param schema of the table in the source
 * @param table in the source
 * @param fingerprint of the table when its copy began
 * @param pauseReason why it is paused; empty while it is captured
 * @param change why what it holds can no longer be gone on with, as the middle of a sentence: it is
 *     to be copied anew as soon as it can be; empty where nothing stands in the way
 * @param copy of its rows
 * @param growth what columns may be added to it in place
 */
public record CapturedTable(
    String schema,
    String table,
    String fingerprint,
    String pauseReason,
    String change,
    Progress copy,
    Growth growth) {
  /**
   * How the source keeps the table, and which columns were added in place.
   *
   * @param storage as {@code SourceTable.Storage} has its ID; empty where the source does not tell
   * @param columnsEver number of columns that the table has ever had
   * @param columns what the fingerprint says of them
   * @param added by column that was added in place: what was visible then, as the source prints it.
   *     Changes among that may come without the column, and it is NULL in them
   */
  public record Growth(String storage, int columnsEver, String columns, Map<String, String> added) {
    public Growth {
      added = Map.copyOf(added);
    }
  }

  /**
   * The copy of a table's rows into one of its generations in Fluss.
   *
   * @param generation that the table is written into, 1 or greater
   * @param why an older generation is not gone on with, as the middle of a sentence; empty for a
   *     first copy
   * @param since what every reading of the copy has seen, as the source prints it; changes among
   *     that are left out, since they may be from before a change of the table's columns
   * @param attempts how many copies have begun since the last one that became whole, this one
   *     included
   * @param whole true once every row is copied
   * @param lastKey key of the last row copied, one text per key column; empty before the first
   *     chunk and once the copy is whole
   * @param rows copied, so far or in all
   */
  public record Progress(
      int generation,
      String why,
      String since,
      int attempts,
      boolean whole,
      List<String> lastKey,
      long rows) {
    public Progress {
      lastKey = List.copyOf(lastKey);
    }

    Progress to(List<String> key, long count) {
      return new Progress(generation, why, since, attempts, false, key, count);
    }

    Progress ended() {
      return new Progress(generation, why, since, 0, true, List.of(), rows);
    }
  }

  /** A table whose copy is still to begin. */
  public static CapturedTable toCopy(
      String schema, String table, String fingerprint, Progress copy, Growth growth) {
    return new CapturedTable(schema, table, fingerprint, "", "", copy, growth);
  }

  /** {@code <schema>.<table>}. */
  public String display() {
    return schema + "." + table;
  }

  @JsonIgnore
  public boolean isPaused() {
    return !pauseReason.isEmpty();
  }

  /** True once its copy is whole. */
  public boolean copied() {
    return copy.whole();
  }

  /** Number of rows copied, so far or in all. */
  public long copiedRows() {
    return copy.rows();
  }

  /** The same table, paused. */
  public CapturedTable paused(String reason) {
    return new CapturedTable(schema, table, fingerprint, reason, change, copy, growth);
  }

  /** The same table, to be copied anew. */
  public CapturedTable changed(String why) {
    return new CapturedTable(schema, table, fingerprint, pauseReason, why, copy, growth);
  }

  /** The same table as the source has it now, columns that were added in place included. */
  public CapturedTable grown(String newFingerprint, Growth newGrowth) {
    return new CapturedTable(schema, table, newFingerprint, pauseReason, "", copy, newGrowth);
  }

  /** The same table, copied further. */
  public CapturedTable copiedTo(List<String> lastKey, long rows) {
    return with(copy.to(lastKey, rows));
  }

  /** The same table with a whole copy. */
  public CapturedTable whole() {
    return with(copy.ended());
  }

  private CapturedTable with(Progress progress) {
    return new CapturedTable(schema, table, fingerprint, pauseReason, change, progress, growth);
  }
}
