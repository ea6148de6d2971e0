package io.lakestream.cdc.decode;

import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;

/** A captured table no longer has the columns that it was registered with. */
public final class SchemaChangedException extends Exception {
  @FormatMethod
  public SchemaChangedException(@FormatString String message, Object... arguments) {
    super(String.format(message, arguments));
  }
}
