package io.lakestream.cdc.postgres;

import io.lakestream.cdc.decode.StreamField;
import io.lakestream.tables.schema.ColumnType;
import java.time.LocalDate;
import java.util.HexFormat;

/**
 * Values from the text that PostgreSQL prints. Dates and timestamps, with or without a zone, become
 * whole numbers. The calendar is the proleptic Gregorian one, as in PostgreSQL itself.
 */
final class PgText {
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long SECONDS_PER_DAY = 86_400;
  private static final int FRACTION_DIGITS = 6;
  private static final int BYTES_PREFIX = 2;
  private static final String BEFORE_CHRIST = " BC";

  private PgText() {}

  /**
   * Turns a value's text into the form of {@link StreamField}.
   *
   * @param type that the source's type has by itself, or STRING for the text as it is
   * @param text as PostgreSQL prints it in a session of {@link PostgresSession}; what it prints for
   *     that type, so that anything else is a fault
   */
  static Object parse(ColumnType type, String text) {
    return switch (type.kind()) {
      case BOOLEAN -> text.equals("t");
      case SMALLINT, INT -> Integer.valueOf(text);
      case BIGINT -> Long.valueOf(text);
      case FLOAT -> Float.valueOf(text);
      case DOUBLE -> Double.valueOf(text);
      case DECIMAL, STRING -> text;
      case BYTES -> HexFormat.of().parseHex(text, BYTES_PREFIX, text.length());
      case DATE -> parseDate(text);
      case TIMESTAMP, TIMESTAMP_LTZ -> parseTimestamp(text);
    };
  }

  /** Days since 1970-01-01, or one of the infinities. */
  static long parseDate(String text) {
    return switch (text) {
      case "infinity" -> StreamField.INFINITY;
      case "-infinity" -> StreamField.NEGATIVE_INFINITY;
      default -> {
        boolean beforeChrist = text.endsWith(BEFORE_CHRIST);
        int end = beforeChrist ? text.length() - BEFORE_CHRIST.length() : text.length();
        yield epochDay(text, end, beforeChrist);
      }
    };
  }

  /**
   * Microseconds since 1970-01-01 00:00:00 (in UTC where the text has a zone), or a special value.
   */
  static long parseTimestamp(String text) {
    return switch (text) {
      case "infinity" -> StreamField.INFINITY;
      case "-infinity" -> StreamField.NEGATIVE_INFINITY;
      default -> timestamp(text);
    };
  }

  private static long timestamp(String text) {
    int space = text.indexOf(' ');
    boolean beforeChrist = text.endsWith(BEFORE_CHRIST);
    int end = beforeChrist ? text.length() - BEFORE_CHRIST.length() : text.length();
    long seconds =
        epochDay(text, space, beforeChrist) * SECONDS_PER_DAY
            + number(text, space + 1, space + 3) * 3600L
            + number(text, space + 4, space + 6) * 60L
            + number(text, space + 7, space + 9);
    int at = space + 9;
    int fraction = 0;
    if (at < end && text.charAt(at) == '.') {
      at++;
      for (int i = 0; i < FRACTION_DIGITS; i++) {
        boolean isDigit = at < end && text.charAt(at) >= '0' && text.charAt(at) <= '9';
        fraction = fraction * 10 + (isDigit ? text.charAt(at++) - '0' : 0);
      }
    }
    return micros(seconds - (at < end ? offsetSeconds(text, at, end) : 0), fraction);
  }

  // +HH, +HH:MM or +HH:MM:SS.
  private static int offsetSeconds(String text, int start, int end) {
    int seconds = 0;
    int unit = 3600;
    for (int at = start + 1; at < end; at += 3) {
      seconds += number(text, at, at + 2) * unit;
      unit /= 60;
    }
    return text.charAt(start) == '-' ? -seconds : seconds;
  }

  private static long micros(long seconds, int micros) {
    long high = Math.multiplyHigh(seconds, MICROS_PER_SECOND);
    long low = seconds * MICROS_PER_SECOND;
    boolean overflows = high != (low >> 63) || low > StreamField.OUT_OF_RANGE - 1 - micros;
    return overflows ? StreamField.OUT_OF_RANGE : low + micros;
  }

  private static long epochDay(String text, int end, boolean beforeChrist) {
    int year = number(text, 0, end - 6);
    int month = number(text, end - 5, end - 3);
    int day = number(text, end - 2, end);
    return LocalDate.of(beforeChrist ? 1 - year : year, month, day).toEpochDay();
  }

  private static int number(String text, int start, int end) {
    return Integer.parseInt(text, start, end, 10);
  }
}
