package io.lakestream.tables.change;

import static io.lakestream.tables.error.Checks.checkArgument;

/**
 * A place in the log of one source. Positions of one source compare; those of two do not.
 *
 * @param ordinal the order of positions, as an unsigned 64-bit number. For PostgreSQL the LSN
 *     itself; for MariaDB the binlog file's number in the upper 28 bits, the offset in the lower 36
 * @param text as the source prints it, for example {@code 0/16B3748} or {@code binlog.000042:1234}
 */
public record SourcePosition(long ordinal, String text) implements Comparable<SourcePosition> {
  private static final int LOW_BITS = 32;
  private static final int BINLOG_OFFSET_BITS = 36;
  private static final long MAX_BINLOG_OFFSET = (1L << BINLOG_OFFSET_BITS) - 1;
  private static final long MAX_BINLOG_FILE = (1L << (Long.SIZE - BINLOG_OFFSET_BITS)) - 1;

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

  /**
   * Position in a binlog.
   *
   * @param file name with a number behind its last dot; files are ordered by that number
   * @param offset in the file, in bytes, below 64 GB
   */
  public static SourcePosition ofBinlog(String file, long offset) {
    String digits = file.substring(file.lastIndexOf('.') + 1);
    checkArgument(
        file.indexOf('.') > 0 && digits.matches("[0-9]{1,9}"),
        "Invalid binlog file: '%s' (must end in a dot and a number, such as binlog.000042)",
        file);
    long number = Long.parseLong(digits);
    checkArgument(
        number <= MAX_BINLOG_FILE && offset >= 0 && offset <= MAX_BINLOG_OFFSET,
        "Invalid binlog position: %s:%s (must be a file up to %s, an offset up to %s)",
        file,
        offset,
        MAX_BINLOG_FILE,
        MAX_BINLOG_OFFSET);
    return new SourcePosition((number << BINLOG_OFFSET_BITS) | offset, file + ":" + offset);
  }

  /** Parses {@code <file>:<offset>}. Throws INVALID_ARGUMENT where the text is not one. */
  public static SourcePosition parseBinlog(String text) {
    int colon = text.lastIndexOf(':');
    checkArgument(
        colon > 0 && text.substring(colon + 1).matches("[0-9]{1,12}"),
        "Invalid source position: '%s' (must be a binlog file and offset such as binlog.000042:1234)",
        text);
    return ofBinlog(text.substring(0, colon), Long.parseLong(text.substring(colon + 1)));
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
