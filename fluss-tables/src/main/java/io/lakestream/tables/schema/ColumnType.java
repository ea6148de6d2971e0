package io.lakestream.tables.schema;

import static io.lakestream.tables.error.Checks.checkArgument;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.Decimal;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.types.DataType;
import org.apache.fluss.types.DataTypes;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * The type of a column in all of its homes: Fluss, Iceberg, Java and text.
 *
 * <p>The Java value is the one Iceberg's generic records use, so that a lake row needs no
 * conversion:
 *
 * <table>
 *   <caption>Homes of a type</caption>
 *   <tr><th>kind</th><th>Fluss</th><th>Iceberg</th><th>Java value</th></tr>
 *   <tr><td>BOOLEAN</td><td>BOOLEAN</td><td>boolean</td><td>Boolean</td></tr>
 *   <tr><td>SMALLINT</td><td>SMALLINT</td><td>int</td><td>Integer</td></tr>
 *   <tr><td>INT</td><td>INT</td><td>int</td><td>Integer</td></tr>
 *   <tr><td>BIGINT</td><td>BIGINT</td><td>long</td><td>Long</td></tr>
 *   <tr><td>FLOAT</td><td>FLOAT</td><td>float</td><td>Float</td></tr>
 *   <tr><td>DOUBLE</td><td>DOUBLE</td><td>double</td><td>Double</td></tr>
 *   <tr><td>DECIMAL</td><td>DECIMAL(p,s)</td><td>decimal(p,s)</td><td>BigDecimal of scale s</td></tr>
 *   <tr><td>STRING</td><td>STRING</td><td>string</td><td>String</td></tr>
 *   <tr><td>BYTES</td><td>BYTES</td><td>binary</td><td>ByteBuffer</td></tr>
 *   <tr><td>DATE</td><td>DATE</td><td>date</td><td>LocalDate</td></tr>
 *   <tr><td>TIMESTAMP</td><td>BIGINT, see below</td><td>timestamp</td><td>LocalDateTime, microseconds</td></tr>
 *   <tr><td>TIMESTAMP_LTZ</td><td>BIGINT, see below</td><td>timestamptz</td><td>OffsetDateTime in UTC, microseconds</td></tr>
 * </table>
 *
 * <p>Timestamps are microseconds since 1970-01-01T00:00 (UTC) in Fluss, and not of its own types:
 * Fluss 0.9.1 writes a timestamp before 1970 with a fraction of a millisecond into its log, but
 * neither its client nor a recovering server can read that entry again, and with it the rest of the
 * bucket.
 *
 * @param kind which of them
 * @param precision decimal digits in all, 1 to 38; 0 unless DECIMAL
 * @param scale decimal digits behind the point, 0 to precision; 0 unless DECIMAL
 */
public record ColumnType(Kind kind, int precision, int scale) {
  /** The kinds of types. */
  public enum Kind {
    BOOLEAN,
    SMALLINT,
    INT,
    BIGINT,
    FLOAT,
    DOUBLE,
    DECIMAL,
    STRING,
    BYTES,
    DATE,
    TIMESTAMP,
    TIMESTAMP_LTZ
  }

  public static final ColumnType BOOLEAN = new ColumnType(Kind.BOOLEAN, 0, 0);
  public static final ColumnType SMALLINT = new ColumnType(Kind.SMALLINT, 0, 0);
  public static final ColumnType INT = new ColumnType(Kind.INT, 0, 0);
  public static final ColumnType BIGINT = new ColumnType(Kind.BIGINT, 0, 0);
  public static final ColumnType FLOAT = new ColumnType(Kind.FLOAT, 0, 0);
  public static final ColumnType DOUBLE = new ColumnType(Kind.DOUBLE, 0, 0);
  public static final ColumnType STRING = new ColumnType(Kind.STRING, 0, 0);
  public static final ColumnType BYTES = new ColumnType(Kind.BYTES, 0, 0);
  public static final ColumnType DATE = new ColumnType(Kind.DATE, 0, 0);
  public static final ColumnType TIMESTAMP = new ColumnType(Kind.TIMESTAMP, 0, 0);
  public static final ColumnType TIMESTAMP_LTZ = new ColumnType(Kind.TIMESTAMP_LTZ, 0, 0);

  private static final int MAX_PRECISION = 38;
  private static final long MICROS_PER_SECOND = 1_000_000;
  private static final int NANOS_PER_MICRO = 1_000;

  public ColumnType {
    if (kind == Kind.DECIMAL) {
      checkArgument(
          precision >= 1 && precision <= MAX_PRECISION && scale >= 0 && scale <= precision,
          "Invalid decimal(%s,%s) (precision must be 1 to %s, scale 0 to precision)",
          precision,
          scale,
          MAX_PRECISION);
    } else {
      checkArgument(precision == 0 && scale == 0, "Invalid %s(%s,%s)", kind, precision, scale);
    }
  }

  public static ColumnType decimal(int precision, int scale) {
    return new ColumnType(Kind.DECIMAL, precision, scale);
  }

  /** The type in Fluss, nullable or not. */
  public DataType toFluss(boolean nullable) {
    DataType type =
        switch (kind) {
          case BOOLEAN -> DataTypes.BOOLEAN();
          case SMALLINT -> DataTypes.SMALLINT();
          case INT -> DataTypes.INT();
          case BIGINT, TIMESTAMP, TIMESTAMP_LTZ -> DataTypes.BIGINT();
          case FLOAT -> DataTypes.FLOAT();
          case DOUBLE -> DataTypes.DOUBLE();
          case DECIMAL -> DataTypes.DECIMAL(precision, scale);
          case STRING -> DataTypes.STRING();
          case BYTES -> DataTypes.BYTES();
          case DATE -> DataTypes.DATE();
        };
    return type.copy(nullable);
  }

  /** The type in Iceberg. */
  public Type toIceberg() {
    return switch (kind) {
      case BOOLEAN -> Types.BooleanType.get();
      case SMALLINT, INT -> Types.IntegerType.get();
      case BIGINT -> Types.LongType.get();
      case FLOAT -> Types.FloatType.get();
      case DOUBLE -> Types.DoubleType.get();
      case DECIMAL -> Types.DecimalType.of(precision, scale);
      case STRING -> Types.StringType.get();
      case BYTES -> Types.BinaryType.get();
      case DATE -> Types.DateType.get();
      case TIMESTAMP -> Types.TimestampType.withoutZone();
      case TIMESTAMP_LTZ -> Types.TimestampType.withZone();
    };
  }

  /**
   * Reads field {@code index} of a Fluss row of this type.
   *
   * @return the Java value of the table above, or null where the field is NULL
   */
  public Object readFluss(InternalRow row, int index) {
    if (row.isNullAt(index)) {
      return null;
    }
    return switch (kind) {
      case BOOLEAN -> row.getBoolean(index);
      case SMALLINT -> (int) row.getShort(index);
      case INT -> row.getInt(index);
      case BIGINT -> row.getLong(index);
      case FLOAT -> row.getFloat(index);
      case DOUBLE -> row.getDouble(index);
      case DECIMAL -> row.getDecimal(index, precision, scale).toBigDecimal();
      case STRING -> row.getString(index).toString();
      case BYTES -> ByteBuffer.wrap(row.getBytes(index));
      case DATE -> LocalDate.ofEpochDay(row.getInt(index));
      case TIMESTAMP -> ofMicros(row.getLong(index));
      case TIMESTAMP_LTZ -> ofMicros(row.getLong(index)).atOffset(ZoneOffset.UTC);
    };
  }

  /** Turns a Java value of the table above, or null, into what a Fluss {@code GenericRow} holds. */
  public Object toFlussValue(Object value) {
    if (value == null) {
      return null;
    }
    return switch (kind) {
      case BOOLEAN, INT, BIGINT, FLOAT, DOUBLE -> value;
      case SMALLINT -> ((Integer) value).shortValue();
      case DECIMAL -> Decimal.fromBigDecimal((BigDecimal) value, precision, scale);
      case STRING -> BinaryString.fromString((String) value);
      case BYTES -> bytes((ByteBuffer) value);
      case DATE -> Math.toIntExact(((LocalDate) value).toEpochDay());
      case TIMESTAMP -> micros((LocalDateTime) value);
      case TIMESTAMP_LTZ ->
          micros(((OffsetDateTime) value).withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime());
    };
  }

  private static LocalDateTime ofMicros(long micros) {
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(micros, MICROS_PER_SECOND),
        (int) Math.floorMod(micros, MICROS_PER_SECOND) * NANOS_PER_MICRO,
        ZoneOffset.UTC);
  }

  private static long micros(LocalDateTime timestamp) {
    return Math.addExact(
        Math.multiplyExact(timestamp.toEpochSecond(ZoneOffset.UTC), MICROS_PER_SECOND),
        timestamp.get(ChronoField.MICRO_OF_SECOND));
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /** The type as users read it, for example {@code decimal(15,2)} or {@code timestamp_ltz}. */
  @Override
  public String toString() {
    String name = kind.name().toLowerCase(java.util.Locale.ROOT);
    return kind == Kind.DECIMAL ? name + "(" + precision + "," + scale + ")" : name;
  }

  /** Parses what {@link #toString} prints. */
  public static ColumnType parse(String text) {
    if (text.startsWith("decimal(") && text.endsWith(")")) {
      String[] digits = text.substring("decimal(".length(), text.length() - 1).split(",", -1);
      return decimal(Integer.parseInt(digits[0]), Integer.parseInt(digits[1]));
    }
    return new ColumnType(Kind.valueOf(text.toUpperCase(java.util.Locale.ROOT)), 0, 0);
  }

  /** The Java value of {@code instant} for a TIMESTAMP_LTZ column. */
  public static OffsetDateTime timestampLtz(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }
}
