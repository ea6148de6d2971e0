package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.decode.NoHome;
import java.time.LocalDate;
import java.time.YearMonth;

/**
 * Dates, datetimes and times out of their parts, in the forms of {@link
 * io.lakestream.cdc.decode.StreamField}.
 *
 * <p>MariaDB also keeps what is no date: {@code 0000-00-00}, {@code 2024-00-15}, and with
 * ALLOW_INVALID_DATES {@code 2024-02-31}. Those are a {@link NoHome}, never NULL and never another
 * date.
 */
final class Temporals {
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final long SECONDS_PER_DAY = 86_400;
  private static final int MAX_FRACTION_DIGITS = 6;

  private Temporals() {}

  /** Days since 1970-01-01. */
  static Object date(int year, int month, int day) {
    if (isDay(year, month, day)) {
      return LocalDate.of(year, month, day).toEpochDay();
    }
    return none(dateText(year, month, day));
  }

  /**
   * Microseconds since 1970-01-01 00:00:00.
   *
   * @param secondOfDay 0 to 86399
   * @param digits of the fraction that the column has, 0 to 6
   */
  static Object datetime(int year, int month, int day, int secondOfDay, int micros, int digits) {
    if (isDay(year, month, day)) {
      long days = LocalDate.of(year, month, day).toEpochDay();
      return (days * SECONDS_PER_DAY + secondOfDay) * MICROS_PER_SECOND + micros;
    }
    return none(datetimeText(year, month, day, secondOfDay, micros, digits));
  }

  /** The same as text, as MariaDB prints it. */
  static String datetimeText(
      int year, int month, int day, int secondOfDay, int micros, int digits) {
    StringBuilder text = new StringBuilder(dateText(year, month, day)).append(' ');
    appendTime(text, secondOfDay / 3600, secondOfDay, micros, digits);
    return text.toString();
  }

  /**
   * A time as MariaDB prints it.
   *
   * @param seconds 0 to 838:59:59
   */
  static String time(boolean negative, int seconds, int micros, int digits) {
    StringBuilder text = new StringBuilder(negative ? "-" : "");
    appendTime(text, seconds / 3600, seconds, micros, digits);
    return text.toString();
  }

  static String dateText(int year, int month, int day) {
    StringBuilder text = new StringBuilder(10);
    append(text, year, 4).append('-');
    append(text, month, 2).append('-');
    return append(text, day, 2).toString();
  }

  /** Parses what MariaDB prints for a DATE. */
  static Object parseDate(String text) {
    return date(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10));
  }

  /** Parses what MariaDB prints for a DATETIME, or for a TIMESTAMP in UTC. */
  static Object parseDatetime(String text) {
    int digits = Math.max(0, text.length() - 20);
    int micros = 0;
    for (int i = 0; i < MAX_FRACTION_DIGITS; i++) {
      micros = micros * 10 + (i < digits ? text.charAt(20 + i) - '0' : 0);
    }
    return datetime(
        number(text, 0, 4),
        number(text, 5, 7),
        number(text, 8, 10),
        number(text, 11, 13) * 3600 + number(text, 14, 16) * 60 + number(text, 17, 19),
        micros,
        digits);
  }

  private static NoHome none(String text) {
    return new NoHome("the calendar has no such day", text);
  }

  // The year 0 is the first year before Christ to some and no year to others.
  private static boolean isDay(int year, int month, int day) {
    return year >= 1
        && month >= 1
        && month <= 12
        && day >= 1
        && day <= (day <= 28 ? 28 : YearMonth.of(year, month).lengthOfMonth());
  }

  private static void appendTime(
      StringBuilder text, int hours, int seconds, int micros, int digits) {
    append(text, hours, 2).append(':');
    append(text, seconds / 60 % 60, 2).append(':');
    append(text, seconds % 60, 2);
    if (digits > 0) {
      String all = append(new StringBuilder(), micros, MAX_FRACTION_DIGITS).toString();
      text.append('.').append(all, 0, digits);
    }
  }

  private static StringBuilder append(StringBuilder text, int number, int digits) {
    String plain = Integer.toString(number);
    return text.append("0".repeat(Math.max(0, digits - plain.length()))).append(plain);
  }

  private static int number(String text, int start, int end) {
    return Integer.parseInt(text, start, end, 10);
  }
}
