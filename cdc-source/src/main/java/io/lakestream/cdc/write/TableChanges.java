package io.lakestream.cdc.write;

/**
 * How many changes of a table were applied since capture started in this process.
 *
 * @param upserts inserts, updates and rows of the initial copy
 * @param deletes deletes; a change of key counts as an upsert only
 * @param quarantined changes that could not be converted
 */
public record TableChanges(long upserts, long deletes, long quarantined) {
  public static final TableChanges NONE = new TableChanges(0, 0, 0);

  /** The sum of both. */
  public TableChanges plus(TableChanges other) {
    return new TableChanges(
        upserts + other.upserts, deletes + other.deletes, quarantined + other.quarantined);
  }

  /** Upserts and deletes. */
  public long applied() {
    return upserts + deletes;
  }
}
