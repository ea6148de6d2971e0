package io.lakestream.tables.schema;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The text form of a value: what PostgreSQL prints for it with {@code DateStyle} ISO, {@code
 * TimeZone} UTC, {@code bytea_output} hex and {@code extra_float_digits} 1.
 */
public final class TextForm {
  private static final BigDecimal HALF = new BigDecimal("0.5");
  private static final int MAX_DIGITS_FLOAT = 9;
  private static final int MAX_DIGITS_DOUBLE = 17;
  private static final int MIN_PLAIN_EXPONENT = -4;
  private static final int MAX_PLAIN_EXPONENT_FLOAT = 5;
  private static final int MAX_PLAIN_EXPONENT_DOUBLE = 14;

  private TextForm() {}

  /**
   * Prints a Java value of {@link ColumnType}.
   *
   * @param value not null: NULL has no text form, and each output format shows it in its own way
   */
  public static String print(ColumnType type, Object value) {
    return switch (type.kind()) {
      case BOOLEAN, SMALLINT, INT, BIGINT, STRING -> value.toString();
      case FLOAT -> printFloat((Float) value);
      case DOUBLE -> printDouble((Double) value);
      case DECIMAL -> ((BigDecimal) value).toPlainString();
      case BYTES -> "\\x" + hex((ByteBuffer) value);
      case DATE -> printDate((LocalDate) value);
      case TIMESTAMP -> printTimestamp((LocalDateTime) value, "");
      case TIMESTAMP_LTZ ->
          printTimestamp(
              ((OffsetDateTime) value).withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime(),
              "+00");
    };
  }

  private static String hex(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static String printDate(LocalDate date) {
    boolean beforeChrist = date.getYear() < 1;
    int year = beforeChrist ? 1 - date.getYear() : date.getYear();
    String text =
        String.format(
            Locale.ROOT, "%04d-%02d-%02d", year, date.getMonthValue(), date.getDayOfMonth());
    return beforeChrist ? text + " BC" : text;
  }

  private static String printTimestamp(LocalDateTime timestamp, String zone) {
    String date = printDate(timestamp.toLocalDate());
    String era = date.endsWith(" BC") ? " BC" : "";
    StringBuilder text = new StringBuilder(date.substring(0, date.length() - era.length()));
    text.append(
        String.format(
            Locale.ROOT,
            " %02d:%02d:%02d",
            timestamp.getHour(),
            timestamp.getMinute(),
            timestamp.getSecond()));
    int micros = timestamp.get(ChronoField.MICRO_OF_SECOND);
    if (micros != 0) {
      text.append('.').append(String.format(Locale.ROOT, "%06d", micros).replaceAll("0+$", ""));
    }
    return text.append(zone).append(era).toString();
  }

  private static String printDouble(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return Double.toString(value);
    }
    double size = Math.abs(value);
    BigDecimal exact = new BigDecimal(size);
    BigDecimal below = size == 0 ? exact : new BigDecimal(Math.nextDown(size));
    BigDecimal above =
        size == Double.MAX_VALUE
            ? exact.add(exact).subtract(below)
            : new BigDecimal(Math.nextUp(size));
    BigDecimal shortest = shortest(below, exact, above, MAX_DIGITS_DOUBLE);
    return printDigits(shortest, 1 / value < 0, MAX_PLAIN_EXPONENT_DOUBLE);
  }

  private static String printFloat(float value) {
    if (Float.isNaN(value) || Float.isInfinite(value)) {
      return Float.toString(value);
    }
    float size = Math.abs(value);
    BigDecimal exact = new BigDecimal(size);
    BigDecimal below = size == 0 ? exact : new BigDecimal(Math.nextDown(size));
    BigDecimal above =
        size == Float.MAX_VALUE
            ? exact.add(exact).subtract(below)
            : new BigDecimal(Math.nextUp(size));
    BigDecimal shortest = shortest(below, exact, above, MAX_DIGITS_FLOAT);
    return printDigits(shortest, 1 / value < 0, MAX_PLAIN_EXPONENT_FLOAT);
  }

  // PostgreSQL prints the shortest digits that lie strictly nearer to the number than to its
  // neighbours below and above. Java's own text takes digits at just half the way too, and before
  // Java 19 sometimes one too many.
  private static BigDecimal shortest(
      BigDecimal below, BigDecimal exact, BigDecimal above, int maxDigits) {
    BigDecimal low = below.add(exact).multiply(HALF);
    BigDecimal high = exact.add(above).multiply(HALF);
    BigDecimal shortest = exact.round(new MathContext(maxDigits, RoundingMode.HALF_EVEN));
    for (int digits = maxDigits - 1; digits >= 1; digits--) {
      BigDecimal shorter = exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
      if (shorter.compareTo(low) <= 0 || shorter.compareTo(high) >= 0) {
        break;
      }
      shortest = shorter;
    }
    return shortest;
  }

  // In plain notation from exponent -4 on and below as many digits as every number of the type can
  // hold, with at least two exponent digits otherwise.
  private static String printDigits(BigDecimal number, boolean negative, int maxPlainExponent) {
    String sign = negative ? "-" : "";
    if (number.signum() == 0) {
      return sign + "0";
    }
    BigDecimal decimal = number.abs().stripTrailingZeros();
    int exponent = decimal.precision() - decimal.scale() - 1;
    if (exponent >= MIN_PLAIN_EXPONENT && exponent <= maxPlainExponent) {
      return sign + decimal.toPlainString();
    }
    String digits = decimal.unscaledValue().toString();
    String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
    String exponentSign = exponent < 0 ? "-" : "+";
    return sign
        + mantissa
        + "e"
        + exponentSign
        + String.format(Locale.ROOT, "%02d", Math.abs(exponent));
  }
}
