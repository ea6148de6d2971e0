package io.lakestream.cdc.postgres;

import io.debezium.connector.postgresql.UnchangedToastedReplicationMessageColumn;
import io.debezium.data.SpecialValueDecimal;
import io.debezium.spi.converter.CustomConverter;
import io.debezium.spi.converter.RelationalColumn;
import io.lakestream.cdc.decode.StreamField;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.tables.schema.ColumnType;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;

/**
 * What Debezium hands over for each column, instead of its own conversions: those replace NULL by a
 * column's default, infinity by a date, and what they cannot convert by NULL.
 *
 * <p>The stream brings every value as the text that PostgreSQL sent, see {@link StreamConnections};
 * {@link PgText} turns it into the form of {@link StreamField} that the column's type has. The
 * field is always optional and never has a default.
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

  /** Property that lists columns to hand over as text whatever their type is. */
  static final String TEXT_COLUMNS = "text.columns";

  private static final String SEPARATOR = ",";

  private Set<String> textColumns = Set.of();

  /** Value of {@link #TEXT_COLUMNS} for tables: those columns whose home is text by choice. */
  static String textColumns(List<SourceTable> tables) {
    return tables.stream()
        .flatMap(
            table ->
                table.definition().columns().stream()
                    .filter(column -> column.type().kind() == ColumnType.Kind.STRING)
                    .map(column -> spell(table.display(), column.name())))
        .collect(Collectors.joining(SEPARATOR));
  }

  private static String spell(String table, String column) {
    return URLEncoder.encode(table + "." + column, StandardCharsets.UTF_8);
  }

  @Override
  public void configure(Properties properties) {
    textColumns =
        Set.copyOf(List.of(properties.getProperty(TEXT_COLUMNS, "").split(SEPARATOR, -1)));
  }

  @Override
  public void converterFor(
      RelationalColumn column, ConverterRegistration<SchemaBuilder> registration) {
    int type = column.nativeType();
    boolean asText = textColumns.contains(spell(column.dataCollection(), column.name()));
    ColumnType form = asText ? ColumnType.STRING : PostgresOids.form(type);
    SchemaBuilder field = new OptionalField(connectType(form.kind()));
    field.parameter(StreamField.TYPE, streamType(column));
    // Debezium also asks for the column's default, in a text of its own, and this class keeps none.
    Object unkept = connectType(form.kind()) == Schema.Type.STRING ? null : column.defaultValue();
    registration.register(
        field, value -> value instanceof String && value == unkept ? null : convert(form, value));
  }

  private static String streamType(RelationalColumn column) {
    return column.nativeType() == PostgresOids.NUMERIC
        ? PostgresOids.numeric(column.length().orElse(0), column.scale().orElse(0))
        : String.valueOf(column.nativeType());
  }

  private static Schema.Type connectType(ColumnType.Kind kind) {
    return switch (kind) {
      case BOOLEAN -> Schema.Type.BOOLEAN;
      case SMALLINT, INT -> Schema.Type.INT32;
      case BIGINT, DATE, TIMESTAMP, TIMESTAMP_LTZ -> Schema.Type.INT64;
      case FLOAT -> Schema.Type.FLOAT32;
      case DOUBLE -> Schema.Type.FLOAT64;
      case BYTES -> Schema.Type.BYTES;
      case DECIMAL, STRING -> Schema.Type.STRING;
    };
  }

  private static Object convert(ColumnType form, Object value) {
    if (value == null) {
      return null;
    }
    if (UnchangedToastedReplicationMessageColumn.isUnchangedToastedValue(value)) {
      return form.kind() == ColumnType.Kind.BYTES
          ? StreamField.UNCHANGED_BYTES
          : StreamField.UNCHANGED_TEXT;
    }
    return value instanceof String text ? PgText.parse(form, text) : ofObject(form, value);
  }

  // Debezium's own copy reads numbers, booleans and bytes as Java objects. Others are defaults.
  private static Object ofObject(ColumnType form, Object value) {
    return switch (form.kind()) {
      case BOOLEAN, BYTES -> value;
      case SMALLINT, INT -> ((Number) value).intValue();
      case BIGINT -> ((Number) value).longValue();
      case FLOAT -> ((Number) value).floatValue();
      case DOUBLE -> ((Number) value).doubleValue();
      case DATE, TIMESTAMP, TIMESTAMP_LTZ -> null;
      case DECIMAL, STRING -> plain(value);
    };
  }

  private static String plain(Object value) {
    if (value instanceof SpecialValueDecimal decimal) {
      return decimal.getDecimalValue().map(BigDecimal::toPlainString).orElseGet(decimal::toString);
    }
    return value instanceof BigDecimal decimal ? decimal.toPlainString() : value.toString();
  }
}
