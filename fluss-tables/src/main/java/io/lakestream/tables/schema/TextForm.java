package io.lakestream.tables.schema;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.HexFormat;

/**
 * The text form of a value: what PostgreSQL prints for it with {@code DateStyle} ISO, {@code
 * TimeZone} UTC, {@code bytea_output} hex and {@code extra_float_digits} 1.
 */
public final class TextForm {
  private TextForm() {}

  /**
   * Prints a Java value of {@link ColumnType}.
   *
   * @param value not null: NULL has no text form, and each output format shows it in its own way
   */
  public static String print(ColumnType type, Object value) {
    return switch (type.kind()) {
      case BOOLEAN, SMALLINT, INT, BIGINT, STRING -> value.toString();
      case FLOAT -> printFloating(value.toString());
      case DOUBLE -> printFloating(value.toString());
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
    String text = String.format("%04d-%02d-%02d", year, date.getMonthValue(), date.getDayOfMonth());
    return beforeChrist ? text + " BC" : text;
  }

  private static String printTimestamp(LocalDateTime timestamp, String zone) {
    String date = printDate(timestamp.toLocalDate());
    String era = date.endsWith(" BC") ? " BC" : "";
    StringBuilder text = new StringBuilder(date.substring(0, date.length() - era.length()));
    text.append(
        String.format(
            " %02d:%02d:%02d", timestamp.getHour(), timestamp.getMinute(), timestamp.getSecond()));
    int micros = timestamp.get(ChronoField.MICRO_OF_SECOND);
    if (micros != 0) {
      text.append('.').append(String.format("%06d", micros).replaceAll("0+$", ""));
    }
    return text.append(zone).append(era).toString();
  }

  // PostgreSQL prints the shortest digits that read back as the same number, in plain notation
  // for exponents -4 to 14 and with at least two exponent digits otherwise.
  private static String printFloating(String javaText) {
    switch (javaText) {
      case "NaN", "Infinity", "-Infinity":
        return javaText;
      case "0.0":
        return "0";
      case "-0.0":
        return "-0";
      default:
        break;
    }
    BigDecimal decimal = new BigDecimal(javaText).stripTrailingZeros();
    int exponent = decimal.precision() - decimal.scale() - 1;
    if (exponent >= -4 && exponent < 15) {
      return decimal.toPlainString();
    }
    String digits = decimal.unscaledValue().abs().toString();
    String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
    return (decimal.signum() < 0 ? "-" : "")
        + mantissa
        + "e"
        + (exponent < 0 ? "-" : "+")
        + String.format("%02d", Math.abs(exponent));
  }
}
