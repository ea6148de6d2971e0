package io.lakestream.cdc.decode;

/**
 * A value that has no exact home, whatever its column's type: the source itself holds what is no
 * value of its type, such as a date with the month 0. The row goes to quarantine.
 *
 * @param reason as {@link UnconvertibleValueException#reason}
 * @param value as the source prints it
 */
public record NoHome(String reason, String value) {}
