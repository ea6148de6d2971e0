package io.lakestream.cdc.decode;

import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import java.math.BigDecimal;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.Decimal;

/**
 * Turns a field in the form of {@link StreamField} into what a Fluss row holds; resolved once per
 * column.
 */
interface FieldDecoder {
  /**
   * Converts a value.
   *
   * @param value not null, not an unchanged TOAST value
   */
  Object decode(Object value) throws UnconvertibleValueException;

  /** The decoder of a column. */
  static FieldDecoder of(Column column) {
    FieldDecoder decoder = ofForm(column);
    return value -> {
      if (value instanceof NoHome none) {
        throw new UnconvertibleValueException(column.name(), none.reason(), none.value());
      }
      return decoder.decode(value);
    };
  }

  private static FieldDecoder ofForm(Column column) {
    ColumnType type = column.type();
    return switch (type.kind()) {
      case BOOLEAN, INT, BIGINT, FLOAT, DOUBLE, BYTES -> value -> value;
      case SMALLINT -> value -> ((Integer) value).shortValue();
      case STRING -> value -> BinaryString.fromString((String) value);
      case DECIMAL -> value -> decimal(column, (String) value);
      case DATE -> value -> date(column, (Long) value);
      case TIMESTAMP, TIMESTAMP_LTZ -> value -> timestamp(column, (Long) value);
    };
  }

  private static Decimal decimal(Column column, String text) throws UnconvertibleValueException {
    char last = text.charAt(text.length() - 1);
    if (last < '0' || last > '9') {
      throw new UnconvertibleValueException(column.name(), "a decimal has no such value", text);
    }
    ColumnType type = column.type();
    BigDecimal value = new BigDecimal(text);
    if (value.scale() > type.scale()) {
      BigDecimal stripped = value.stripTrailingZeros();
      if (stripped.scale() > type.scale()) {
        throw new UnconvertibleValueException(
            column.name(), "more digits behind the point than " + type + " has", text);
      }
    }
    BigDecimal scaled = value.setScale(type.scale());
    if (scaled.precision() > type.precision()) {
      throw new UnconvertibleValueException(column.name(), "more digits than " + type, text);
    }
    return Decimal.fromBigDecimal(scaled, type.precision(), type.scale());
  }

  private static Integer date(Column column, long days) throws UnconvertibleValueException {
    checkFinite(column, days);
    return Math.toIntExact(days);
  }

  private static Long timestamp(Column column, long micros) throws UnconvertibleValueException {
    checkFinite(column, micros);
    return micros;
  }

  private static void checkFinite(Column column, long value) throws UnconvertibleValueException {
    if (value == StreamField.INFINITY) {
      throw new UnconvertibleValueException(
          column.name(), "infinity is no value of " + column.type(), "infinity");
    }
    if (value == StreamField.NEGATIVE_INFINITY) {
      throw new UnconvertibleValueException(
          column.name(), "-infinity is no value of " + column.type(), "-infinity");
    }
    if (value == StreamField.OUT_OF_RANGE) {
      throw new UnconvertibleValueException(
          column.name(), "out of range of " + column.type(), "after 294247-01-10");
    }
  }
}
