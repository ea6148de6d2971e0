package io.lakestream.distribution.query;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType.Kind;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.HexFormat;
import java.util.Locale;
import net.sf.jsqlparser.expression.BooleanValue;
import net.sf.jsqlparser.expression.CastExpression;
import net.sf.jsqlparser.expression.DoubleValue;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.expression.LongValue;
import net.sf.jsqlparser.expression.NullValue;
import net.sf.jsqlparser.expression.SignedExpression;
import net.sf.jsqlparser.expression.StringValue;

/** Reads a literal of {@code --where} as a value of the column that it is compared with. */
final class SqlLiteral {
  private static final DateTimeFormatter TIMESTAMP =
      new DateTimeFormatterBuilder()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendPattern("[' ']['T']HH:mm[:ss]")
          .optionalStart()
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 6, true)
          .optionalEnd()
          .optionalStart()
          .appendPattern("[XXX][X]")
          .optionalEnd()
          .optionalEnd()
          .toFormatter(Locale.ROOT);

  private SqlLiteral() {}

  /**
   * Reads a literal.
   *
   * @return for numbers a BigDecimal, exact as written, or a Float or Double; otherwise what
   *     Iceberg's predicates take for the column's type
   * @throws LakestreamException INVALID_ARGUMENT where it is no literal, or none of the column's
   *     type
   */
  static Object read(Expression literal, Column column) {
    String text = text(literal, column);
    try {
      return parse(text, column);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new LakestreamException(
          e,
          ErrorCode.INVALID_ARGUMENT,
          "Cannot compare column %s in --where with %s: it is no %s",
          column.name(),
          literal,
          column.type());
    }
  }

  /** The literal's text without its quotes. */
  static String text(Expression literal, Column column) {
    if (literal instanceof StringValue string && string.getPrefix() == null) {
      return string.getNotExcapedValue();
    }
    if (literal instanceof LongValue || literal instanceof DoubleValue) {
      return literal.toString();
    }
    if (literal instanceof SignedExpression signed
        && (signed.getExpression() instanceof LongValue
            || signed.getExpression() instanceof DoubleValue)) {
      return (signed.getSign() == '-' ? "-" : "") + signed.getExpression();
    }
    if (literal instanceof BooleanValue || isBooleanWord(literal)) {
      return literal.toString();
    }
    // DATE '2026-01-31'
    if (literal instanceof CastExpression typed
        && typed.isImplicitCast()
        && typed.getLeftExpression() instanceof StringValue string) {
      return string.getNotExcapedValue();
    }
    throw new LakestreamException(
        ErrorCode.INVALID_ARGUMENT,
        literal instanceof NullValue
            ? "Cannot compare column %s with %s in --where: nothing equals NULL. Use IS NULL or IS NOT NULL."
            : "Cannot compare column %s with %s in --where: it is not a literal. Compare a column with a number, 'text', '2026-01-31', TRUE or FALSE.",
        column.name(),
        literal);
  }

  private static boolean isBooleanWord(Expression literal) {
    return literal instanceof net.sf.jsqlparser.schema.Column word
        && word.getTable() == null
        && word.getColumnName().matches("(?i)true|false");
  }

  private static Object parse(String text, Column column) {
    Kind kind = column.type().kind();
    return switch (kind) {
      case BOOLEAN -> parseBoolean(text);
      case SMALLINT, INT, BIGINT, DECIMAL -> new BigDecimal(text.strip());
      case FLOAT -> notNan(Float.parseFloat(text.strip()));
      case DOUBLE -> notNan(Double.parseDouble(text.strip()));
      case STRING -> padded(text, column);
      case BYTES -> parseBytes(text);
      case DATE -> LocalDate.parse(text.strip()).toString();
      case TIMESTAMP -> parseTimestamp(text).format(DateTimeFormatter.ISO_LOCAL_DATE_TIME);
      case TIMESTAMP_LTZ -> parseTimestampLtz(text).format(DateTimeFormatter.ISO_OFFSET_DATE_TIME);
    };
  }

  private static Boolean parseBoolean(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true", "t" -> true;
      case "false", "f" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static <T extends Number> T notNan(T number) {
    if (Double.isNaN(number.doubleValue())) {
      throw new IllegalArgumentException("NaN");
    }
    return number;
  }

  // PostgreSQL fills character(n) with blanks and ignores them when it compares.
  private static String padded(String text, Column column) {
    String type = column.sourceType();
    if (!type.matches("(character|char|bpchar)\\(\\d+\\)")) {
      return text;
    }
    int length = Integer.parseInt(type.substring(type.indexOf('(') + 1, type.length() - 1));
    int missing = length - text.codePointCount(0, text.length());
    return missing > 0 ? text + " ".repeat(missing) : text;
  }

  private static ByteBuffer parseBytes(String text) {
    if (!text.startsWith("\\x")) {
      throw new IllegalArgumentException(text);
    }
    return ByteBuffer.wrap(HexFormat.of().parseHex(text.substring(2)));
  }

  private static LocalDateTime parseTimestamp(String text) {
    var parsed = TIMESTAMP.parseBest(text.strip(), LocalDateTime::from, LocalDate::from);
    return parsed instanceof LocalDateTime timestamp
        ? timestamp
        : ((LocalDate) parsed).atTime(LocalTime.MIDNIGHT);
  }

  private static OffsetDateTime parseTimestampLtz(String text) {
    var parsed =
        TIMESTAMP.parseBest(
            text.strip(), OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
    return parsed instanceof OffsetDateTime timestamp
        ? timestamp.withOffsetSameInstant(ZoneOffset.UTC)
        : parseTimestamp(text).atOffset(ZoneOffset.UTC);
  }
}
