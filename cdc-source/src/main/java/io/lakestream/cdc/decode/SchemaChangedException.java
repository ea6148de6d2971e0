package io.lakestream.cdc.decode;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;

/** The changes of a captured table can no longer be read as it was registered. */
public final class SchemaChangedException extends Exception {
  private final boolean mendedByCopy;

  private SchemaChangedException(boolean mendedByCopy, String message) {
    super(message);
    this.mendedByCopy = mendedByCopy;
  }

  /** The table has other columns, another key, or is another one: a new copy is right again. */
  @FormatMethod
  public SchemaChangedException(@FormatString String message, Object... arguments) {
    this(true, String.format(message, arguments));
  }

  /** The source says that it cannot tell what changed. */
  static SchemaChangedException problem(String message, boolean mendedByCopy) {
    return new SchemaChangedException(mendedByCopy, message);
  }

  /** True where a new copy of the table can be gone on with; false where somebody has to look. */
  public boolean isMendedByCopy() {
    return mendedByCopy;
  }
}
