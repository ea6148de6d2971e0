package io.lakestream.tables.change;

import static io.lakestream.tables.error.Checks.checkArgument;

/**
 * A place in the log of one source. Positions of one source compare; those of two do not.
 *
 * @param ordinal the order of positions, as an unsigned 64-bit number. For PostgreSQL the LSN
 *     itself
 * @param text as the source prints it, for example {@code 0/16B3748}
 */
public record SourcePosition(long ordinal, String text) implements Comparable<SourcePosition> {
  private static final int LOW_BITS = 32;

  /** Position of a PostgreSQL log sequence number. */
  public static SourcePosition ofLsn(long lsn) {
    return new SourcePosition(lsn, String.format("%X/%X", lsn >>> LOW_BITS, lsn & 0xFFFFFFFFL));
  }

  /** Parses PostgreSQL's text form. Throws INVALID_ARGUMENT where it is not one. */
  public static SourcePosition parseLsn(String text) {
    checkArgument(
        text.matches("[0-9A-Fa-f]{1,8}/[0-9A-Fa-f]{1,8}"),
        "Invalid source position: '%s' (must be a PostgreSQL LSN such as 0/16B3748)",
        text);
    int slash = text.indexOf('/');
    return ofLsn(
        (Long.parseLong(text.substring(0, slash), 16) << LOW_BITS)
            | Long.parseLong(text.substring(slash + 1), 16));
  }

  @Override
  public int compareTo(SourcePosition other) {
    return Long.compareUnsigned(ordinal, other.ordinal);
  }

  /** True where everything up to {@code other} lies at or before this position. */
  public boolean covers(SourcePosition other) {
    return compareTo(other) >= 0;
  }

  @Override
  public String toString() {
    return text;
  }
}
