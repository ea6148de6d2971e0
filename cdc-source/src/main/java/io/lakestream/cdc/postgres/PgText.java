package io.lakestream.cdc.postgres;

import io.lakestream.cdc.decode.StreamField;
import java.time.Instant;
import java.time.LocalDate;

/**
 * Dates and timestamps as whole numbers, from the text that PostgreSQL prints with DateStyle ISO.
 * The calendar is the proleptic Gregorian one, as in PostgreSQL itself.
 */
final class PgText {
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long SECONDS_PER_DAY = 86_400;
  private static final int FRACTION_DIGITS = 6;

  private PgText() {}

  /** Days since 1970-01-01, or one of the infinities. */
  static long parseDate(String text) {
    return switch (text) {
      case "infinity" -> StreamField.INFINITY;
      case "-infinity" -> StreamField.NEGATIVE_INFINITY;
      default -> epochDay(text, text.length());
    };
  }

  /** Microseconds since 1970-01-01 00:00:00 of a timestamp without zone, or a special value. */
  static long parseTimestamp(String text) {
    return switch (text) {
      case "infinity" -> StreamField.INFINITY;
      case "-infinity" -> StreamField.NEGATIVE_INFINITY;
      default -> timestamp(text);
    };
  }

  private static long timestamp(String text) {
    int space = text.indexOf(' ');
    boolean beforeChrist = text.endsWith(" BC");
    int end = beforeChrist ? text.length() - 3 : text.length();
    String date = text.substring(0, space) + (beforeChrist ? " BC" : "");
    long seconds =
        epochDay(date, date.length()) * SECONDS_PER_DAY
            + number(text, space + 1, space + 3) * 3600L
            + number(text, space + 4, space + 6) * 60L
            + number(text, space + 7, space + 9);
    int fractionStart = space + 10;
    int fraction = 0;
    for (int i = 0; i < FRACTION_DIGITS; i++) {
      int at = fractionStart + i;
      fraction = fraction * 10 + (at < end ? text.charAt(at) - '0' : 0);
    }
    return micros(seconds, fraction);
  }

  /** Microseconds of an instant, or {@link #StreamField.OUT_OF_RANGE}. */
  static long micros(Instant instant) {
    return micros(instant.getEpochSecond(), instant.getNano() / 1000);
  }

  private static long micros(long seconds, int micros) {
    long high = Math.multiplyHigh(seconds, MICROS_PER_SECOND);
    long low = seconds * MICROS_PER_SECOND;
    boolean overflows = high != (low >> 63) || low > StreamField.OUT_OF_RANGE - 1 - micros;
    return overflows ? StreamField.OUT_OF_RANGE : low + micros;
  }

  private static long epochDay(String text, int length) {
    boolean beforeChrist = text.endsWith(" BC");
    int end = beforeChrist ? length - 3 : length;
    int year = number(text, 0, end - 6);
    int month = number(text, end - 5, end - 3);
    int day = number(text, end - 2, end);
    return LocalDate.of(beforeChrist ? 1 - year : year, month, day).toEpochDay();
  }

  private static int number(String text, int start, int end) {
    return Integer.parseInt(text, start, end, 10);
  }
}
