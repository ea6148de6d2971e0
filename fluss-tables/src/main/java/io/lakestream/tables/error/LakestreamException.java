package io.lakestream.tables.error;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;

/**
 * The one exception of Lakestream's module edges. Its message says what was found and the way out;
 * it never holds row contents, secrets, or the stack trace that a server sent.
 */
public final class LakestreamException extends RuntimeException {
  private final ErrorCode code;

  @FormatMethod
  public LakestreamException(ErrorCode code, @FormatString String message, Object... arguments) {
    super(ErrorText.withoutStackTrace(String.format(message, arguments)));
    this.code = code;
  }

  @FormatMethod
  public LakestreamException(
      Throwable cause, ErrorCode code, @FormatString String message, Object... arguments) {
    super(ErrorText.withoutStackTrace(String.format(message, arguments)), cause);
    this.code = code;
  }

  public ErrorCode code() {
    return code;
  }
}
