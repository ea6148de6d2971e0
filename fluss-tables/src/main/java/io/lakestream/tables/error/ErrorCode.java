package io.lakestream.tables.error;

/** What went wrong, as a name that scripts and documentation can rely on. */
public enum ErrorCode {
  INVALID_CONFIG(ErrorKind.USER),
  INVALID_ARGUMENT(ErrorKind.USER),
  UNKNOWN_TABLE(ErrorKind.USER),
  UNSUPPORTED_COLUMN_TYPE(ErrorKind.USER),
  MISSING_PRIMARY_KEY(ErrorKind.USER),
  INCOMPATIBLE_DEFINITION(ErrorKind.USER),
  INVALID_VALUE(ErrorKind.USER),
  DATA_FOLDER_IN_USE(ErrorKind.USER),
  DATA_FOLDER_NEWER(ErrorKind.USER),
  DATA_FOLDER_FULL(ErrorKind.USER),
  PORT_TAKEN(ErrorKind.USER),
  NOT_RUNNING(ErrorKind.USER),
  SOURCE_UNREACHABLE(ErrorKind.EXTERNAL),
  SOURCE_REFUSED(ErrorKind.EXTERNAL),
  SOURCE_NOT_READY(ErrorKind.EXTERNAL),
  SOURCE_CHANGES_LOST(ErrorKind.EXTERNAL),
  FLUSS_FAILED(ErrorKind.EXTERNAL),
  LAKE_FAILED(ErrorKind.EXTERNAL),
  /** The offsets a reader or the tiering job needs are no longer in the Fluss log. */
  LOG_TRUNCATED(ErrorKind.EXTERNAL),
  /** A read token's lake snapshot or table no longer exists. Plan the read again. */
  READ_TOKEN_EXPIRED(ErrorKind.EXTERNAL),
  /** The view does not reach the position asked for yet. Wait, or ask for an earlier one. */
  POSITION_NOT_COVERED(ErrorKind.EXTERNAL),
  /** The stream tail of a read needs more memory than the caller allowed. */
  TAIL_TOO_LARGE(ErrorKind.EXTERNAL),
  /** No kept lake snapshot and log reach back to the position asked for. */
  POSITION_TOO_OLD(ErrorKind.EXTERNAL),
  /** Another writer extended the lake table first. */
  COMMIT_REFUSED(ErrorKind.EXTERNAL),
  TIMEOUT(ErrorKind.EXTERNAL),
  /** Data breaks a rule that our own protocol guarantees: never retried, always reported. */
  PROTOCOL_VIOLATION(ErrorKind.INTERNAL),
  INTERNAL(ErrorKind.INTERNAL);

  private final ErrorKind kind;

  ErrorCode(ErrorKind kind) {
    this.kind = kind;
  }

  public ErrorKind kind() {
    return kind;
  }
}
