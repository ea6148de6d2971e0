package io.lakestream.tables.error;

import java.util.regex.Pattern;

/**
 * What a foreign error says, in one line fit for a user. Servers send whole stack traces as their
 * message, with the classes' names before each sentence; the exception itself keeps them for the
 * log.
 */
public final class ErrorText {
  // "org.apache.fluss.exception.FlussRuntimeException: ", also several in a row.
  private static final Pattern CLASS_NAMES =
      Pattern.compile("^(?:(?:[a-z_]\\w*\\.)+[A-Z][\\w$]*(?:Exception|Error)(?:: |$))+");

  private static final Pattern STACK_TRACE =
      Pattern.compile("\\R(?:\\s+at \\S+\\(|Caused by: |\\s+Suppressed: ).*", Pattern.DOTALL);

  private ErrorText() {}

  /** The first line of the error's message, or its simple class name where it has none. */
  public static String of(Throwable error) {
    String first =
        (error.getMessage() == null ? "" : error.getMessage())
            .strip()
            .lines()
            .findFirst()
            .orElse("");
    String text = CLASS_NAMES.matcher(first).replaceFirst("").strip();
    if (!text.isEmpty()) {
      return text;
    }
    return first.isEmpty()
        ? error.getClass().getSimpleName()
        : first.substring(first.lastIndexOf('.') + 1);
  }

  /** The text up to the stack trace in it, if any. */
  static String withoutStackTrace(String text) {
    return STACK_TRACE.matcher(text).replaceFirst("");
  }
}
