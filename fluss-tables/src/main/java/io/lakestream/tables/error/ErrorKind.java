package io.lakestream.tables.error;

/** Who can mend an error. */
public enum ErrorKind {
  /** The caller: configuration, arguments, a table that cannot be captured. */
  USER,
  /** A system beside us: the source, Fluss, the lake. Often worth a retry. */
  EXTERNAL,
  /** Lakestream itself. */
  INTERNAL
}
