package io.lakestream.tables.error;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;

/** Preconditions that fail with a {@link LakestreamException}. */
public final class Checks {
  private Checks() {}

  /** Throws {@link ErrorCode#INVALID_ARGUMENT} unless {@code holds}. */
  @FormatMethod
  public static void checkArgument(
      boolean holds, @FormatString String message, Object... arguments) {
    if (!holds) {
      throw new LakestreamException(ErrorCode.INVALID_ARGUMENT, message, arguments);
    }
  }

  /** Throws {@link ErrorCode#PROTOCOL_VIOLATION} unless {@code holds}. */
  @FormatMethod
  public static void checkProtocol(
      boolean holds, @FormatString String message, Object... arguments) {
    if (!holds) {
      throw new LakestreamException(ErrorCode.PROTOCOL_VIOLATION, message, arguments);
    }
  }
}
