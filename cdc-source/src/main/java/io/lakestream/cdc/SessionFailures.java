package io.lakestream.cdc;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.Sources;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.sql.SQLException;

/** Says what the failure of a session means: one sentence, and whether to try again. */
final class SessionFailures {
  private SessionFailures() {}

  /** The failure as ours. */
  static LakestreamException of(SourceConfig config, Throwable failure) {
    Throwable root = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof LakestreamException ours) {
        return ours;
      }
      if (cause instanceof SQLException sql) {
        return Sources.of(config).streamFailure(sql);
      }
      root = cause;
    }
    if (root instanceof IOException) {
      return new LakestreamException(
          failure,
          ErrorCode.SOURCE_UNREACHABLE,
          "Cannot read the changes of source %s at %s: the connection is lost.",
          config.name(),
          config.address());
    }
    return new LakestreamException(
        failure,
        ErrorCode.INTERNAL,
        "Cannot capture source %s: %s. See the log for the whole error.",
        config.name(),
        root.getMessage());
  }

  /** False where trying again cannot help. */
  static boolean mayPass(LakestreamException failure) {
    return switch (failure.code()) {
      case SOURCE_CHANGES_LOST, PROTOCOL_VIOLATION, INVALID_CONFIG, INVALID_ARGUMENT -> false;
      default -> true;
    };
  }
}
