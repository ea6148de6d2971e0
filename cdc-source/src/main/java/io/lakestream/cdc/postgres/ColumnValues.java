package io.lakestream.cdc.postgres;

import io.debezium.connector.postgresql.PostgresValueConverter;
import io.debezium.connector.postgresql.UnchangedToastedReplicationMessageColumn;
import io.debezium.data.SpecialValueDecimal;
import io.debezium.spi.converter.CustomConverter;
import io.debezium.spi.converter.RelationalColumn;
import io.lakestream.cdc.decode.StreamField;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Properties;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;

/**
 * What Debezium hands over for each column, instead of its own conversions: those replace NULL by a
 * column's default, infinity by a date, and what they cannot convert by NULL.
 *
 * <p>Called with what the replication stream holds and with what {@link SnapshotSelect} reads. The
 * field's type depends on the column's type alone, is always optional and never has a default:
 *
 * <table>
 *   <caption>Fields</caption>
 *   <tr><td>bool, int2 and int4, int8, float4, float8, bytea</td><td>the plain Connect type</td></tr>
 *   <tr><td>numeric</td><td>text, {@code NaN} and infinities included</td></tr>
 *   <tr><td>date</td><td>days as int64, {@link StreamField#INFINITY} and the like included</td></tr>
 *   <tr><td>timestamp, timestamptz</td><td>microseconds as int64, likewise</td></tr>
 *   <tr><td>all others</td><td>text as PostgreSQL prints it</td></tr>
 * </table>
 *
 * <p>An unchanged TOAST value comes as {@link StreamField#UNCHANGED_TEXT} or {@link
 * StreamField#UNCHANGED_BYTES}, which are told by identity: no real value is that object, whatever
 * it reads.
 */
public final class ColumnValues implements CustomConverter<SchemaBuilder, RelationalColumn> {

  // Debezium decides on optional fields and defaults after this class has named the field's type.
  private static final class OptionalField extends SchemaBuilder {
    OptionalField(Schema.Type type) {
      super(type);
      super.optional();
    }

    @Override
    public SchemaBuilder optional() {
      return this;
    }

    @Override
    public SchemaBuilder required() {
      return this;
    }

    // Connect returns the default for a field that is NULL.
    @Override
    public SchemaBuilder defaultValue(Object value) {
      return this;
    }
  }

  @Override
  public void configure(Properties properties) {
    // Nothing to set: what a column becomes depends on its type alone.
  }

  @Override
  public void converterFor(
      RelationalColumn column, ConverterRegistration<SchemaBuilder> registration) {
    int type = column.nativeType();
    SchemaBuilder field = new OptionalField(connectType(type));
    field.parameter(
        StreamField.TYPE,
        type == PostgresOids.NUMERIC
            ? PostgresOids.numeric(column.length().orElse(0), column.scale().orElse(0))
            : String.valueOf(type));
    if (field.type() == Schema.Type.STRING && type != PostgresOids.NUMERIC) {
      field.parameter(StreamField.TEXT, "");
    }
    registration.register(field, converter(type));
  }

  private static Schema.Type connectType(int type) {
    return switch (type) {
      case PostgresOids.BOOL -> Schema.Type.BOOLEAN;
      case PostgresOids.INT2, PostgresOids.INT4 -> Schema.Type.INT32;
      case PostgresOids.INT8, PostgresOids.DATE, PostgresOids.TIMESTAMP, PostgresOids.TIMESTAMPTZ ->
          Schema.Type.INT64;
      case PostgresOids.FLOAT4 -> Schema.Type.FLOAT32;
      case PostgresOids.FLOAT8 -> Schema.Type.FLOAT64;
      case PostgresOids.BYTEA -> Schema.Type.BYTES;
      default -> Schema.Type.STRING;
    };
  }

  private static Converter converter(int type) {
    return switch (type) {
      case PostgresOids.BOOL -> ColumnValues::bool;
      case PostgresOids.INT2, PostgresOids.INT4 ->
          value -> value instanceof Number number ? (Object) number.intValue() : unknown(value);
      case PostgresOids.INT8 ->
          value -> value instanceof Number number ? (Object) number.longValue() : unknown(value);
      case PostgresOids.FLOAT4 ->
          value -> value instanceof Number number ? (Object) number.floatValue() : unknown(value);
      case PostgresOids.FLOAT8 ->
          value -> value instanceof Number number ? (Object) number.doubleValue() : unknown(value);
      case PostgresOids.NUMERIC -> ColumnValues::numeric;
      case PostgresOids.BYTEA -> ColumnValues::bytes;
      case PostgresOids.DATE -> ColumnValues::date;
      case PostgresOids.TIMESTAMP -> ColumnValues::timestamp;
      case PostgresOids.TIMESTAMPTZ -> ColumnValues::timestampWithZone;
      default -> ColumnValues::text;
    };
  }

  private static Object bool(Object value) {
    return value instanceof Boolean ? value : unknown(value);
  }

  private static Object numeric(Object value) {
    if (value instanceof SpecialValueDecimal decimal) {
      return decimal.getDecimalValue().map(BigDecimal::toPlainString).orElseGet(decimal::toString);
    }
    if (value instanceof BigDecimal decimal) {
      return decimal.toPlainString();
    }
    return text(value);
  }

  private static Object bytes(Object value) {
    if (UnchangedToastedReplicationMessageColumn.isUnchangedToastedValue(value)) {
      return StreamField.UNCHANGED_BYTES;
    }
    return value instanceof byte[] ? value : unknown(value);
  }

  private static Object date(Object value) {
    if (value instanceof LocalDate date) {
      if (date.equals(PostgresValueConverter.POSITIVE_INFINITY_LOCAL_DATE)) {
        return StreamField.INFINITY;
      }
      return date.equals(PostgresValueConverter.NEGATIVE_INFINITY_LOCAL_DATE)
          ? StreamField.NEGATIVE_INFINITY
          : date.toEpochDay();
    }
    return value instanceof String text ? (Object) PgText.parseDate(text) : unknown(value);
  }

  private static Object timestamp(Object value) {
    if (value instanceof Instant instant) {
      if (instant.equals(PostgresValueConverter.POSITIVE_INFINITY_INSTANT)) {
        return StreamField.INFINITY;
      }
      return instant.equals(PostgresValueConverter.NEGATIVE_INFINITY_INSTANT)
          ? StreamField.NEGATIVE_INFINITY
          : PgText.micros(instant);
    }
    return value instanceof String text ? (Object) PgText.parseTimestamp(text) : unknown(value);
  }

  private static Object timestampWithZone(Object value) {
    if (value instanceof OffsetDateTime time) {
      if (time.equals(PostgresValueConverter.POSITIVE_INFINITY_OFFSET_DATE_TIME)) {
        return StreamField.INFINITY;
      }
      return time.equals(PostgresValueConverter.NEGATIVE_INFINITY_OFFSET_DATE_TIME)
          ? StreamField.NEGATIVE_INFINITY
          : PgText.micros(time.toInstant());
    }
    // The initial copy selects it at UTC, without a zone.
    return value instanceof String text ? (Object) PgText.parseTimestamp(text) : unknown(value);
  }

  private static Object text(Object value) {
    if (UnchangedToastedReplicationMessageColumn.isUnchangedToastedValue(value)) {
      return StreamField.UNCHANGED_TEXT;
    }
    // Any other object belongs to a column that was retyped: its table is paused, not the engine.
    return value == null ? null : value.toString();
  }

  // Debezium also asks for column defaults, in forms of its own, and this class keeps none. A value
  // of a row in a form that no PostgreSQL type has here must not pass as NULL.
  private static Object unknown(Object value) {
    if (value == null || isDefaultOnly(value)) {
      return null;
    }
    throw new IllegalArgumentException(
        String.format(Locale.ROOT, "unexpected Java type %s", value.getClass().getName()));
  }

  private static boolean isDefaultOnly(Object value) {
    return value instanceof java.util.Date || value instanceof java.time.temporal.Temporal;
  }
}
