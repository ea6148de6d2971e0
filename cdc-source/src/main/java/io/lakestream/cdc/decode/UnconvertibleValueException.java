package io.lakestream.cdc.decode;

/** A value of a row has no exact home in its column's type. The row goes to quarantine. */
public final class UnconvertibleValueException extends Exception {
  private final String column;
  private final String reason;
  private final String value;

  UnconvertibleValueException(String column, String reason, String value) {
    // Without a stack trace: it is caught one frame up, and there may be many.
    super("column " + column + ": " + reason, null, false, false);
    this.column = column;
    this.reason = reason;
    this.value = value;
  }

  public String column() {
    return column;
  }

  public String reason() {
    return reason;
  }

  /** The raw value as text. */
  public String value() {
    return value;
  }
}
