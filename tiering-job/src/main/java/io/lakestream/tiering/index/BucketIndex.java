package io.lakestream.tiering.index;

import java.util.Optional;

/**
 * What the owner of a bucket knows of its rows in the lake: its files, and the place of each key.
 *
 * <p>It belongs to one version of the bucket. A round changes it in place and leaves it at the
 * version that the bucket will have once the round is committed; where that does not come to pass,
 * the next round names another version and the index is rebuilt. For one thread.
 */
public final class BucketIndex {
  private final KeyIndex keys;
  private final int slot;
  private final BucketFiles files = new BucketFiles();
  private String version = "";

  private BucketIndex(KeyIndex keys) {
    this.keys = keys;
    this.slot = keys.newSlot();
  }

  /** An index of a bucket without rows, at no version yet. */
  public static BucketIndex empty(KeyIndex keys) {
    return new BucketIndex(keys);
  }

  /** True where this is what a bucket of that version holds. */
  public boolean belongsTo(String wanted) {
    return version.equals(wanted);
  }

  /** Marks the index as belonging to no version: a change is under way. */
  public void beginChange() {
    version = "";
  }

  /** Ends a change, or a rebuild. */
  public void endChange(String newVersion) {
    version = newVersion;
  }

  public BucketFiles files() {
    return files;
  }

  /** Finds where a key lies. */
  public Optional<RowPlace> find(byte[] key) {
    // A bucket without files has no keys: the first load needs no look-ups until it wrote some.
    return files.size() == 0 ? Optional.empty() : keys.find(slot, key);
  }

  /** Collects changes of this bucket's keys. */
  public KeyIndex.Changes changes() {
    return keys.changes(slot);
  }

  /** Frees what the index holds. */
  public void drop() {
    keys.drop(slot);
  }
}
