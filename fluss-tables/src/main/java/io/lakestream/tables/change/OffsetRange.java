package io.lakestream.tables.change;

import static io.lakestream.tables.error.Checks.checkArgument;

/**
 * A half-open range of log offsets of one bucket.
 *
 * @param start first offset inside, 0 or greater
 * @param stop first offset behind, at least {@code start}
 */
public record OffsetRange(long start, long stop) {
  public OffsetRange {
    checkArgument(0 <= start && start <= stop, "Invalid offset range: [%s, %s)", start, stop);
  }

  public boolean isEmpty() {
    return start == stop;
  }

  /** Number of offsets inside: an upper bound for the number of changes. */
  public long length() {
    return stop - start;
  }
}
