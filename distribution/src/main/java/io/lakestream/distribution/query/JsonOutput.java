package io.lakestream.distribution.query;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.TextForm;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;

/**
 * One JSON object a line. Decimals are numbers with every digit written out, timestamps ISO 8601
 * with every microsecond, bytes a text in hexadecimal; NaN and the infinities, which JSON lacks,
 * are texts.
 */
final class JsonOutput implements RowOutput {
  private final List<Column> columns;
  private final JsonGenerator json;
  private final Writer out;
  private boolean empty = true;

  JsonOutput(Writer out, List<Column> columns) throws IOException {
    this.out = out;
    this.columns = columns;
    this.json =
        JsonMapper.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .enable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build()
            .createGenerator(out)
            .setPrettyPrinter(new MinimalPrettyPrinter("\n"));
  }

  @Override
  public void row(Object[] values) throws IOException {
    empty = false;
    json.writeStartObject();
    for (int i = 0; i < values.length; i++) {
      json.writeFieldName(columns.get(i).name());
      if (values[i] == null) {
        json.writeNull();
      } else {
        write(columns.get(i).type(), values[i]);
      }
    }
    json.writeEndObject();
  }

  private void write(ColumnType type, Object value) throws IOException {
    switch (type.kind()) {
      case BOOLEAN -> json.writeBoolean((Boolean) value);
      case SMALLINT, INT -> json.writeNumber((Integer) value);
      case BIGINT -> json.writeNumber((Long) value);
      case FLOAT -> json.writeNumber((Float) value);
      case DOUBLE -> json.writeNumber((Double) value);
      case DECIMAL -> json.writeNumber((BigDecimal) value);
      case STRING, BYTES -> json.writeString(TextForm.print(type, value));
      case DATE -> json.writeString(value.toString());
      case TIMESTAMP ->
          json.writeString(((LocalDateTime) value).format(DateTimeFormatter.ISO_LOCAL_DATE_TIME));
      case TIMESTAMP_LTZ ->
          json.writeString(((OffsetDateTime) value).format(DateTimeFormatter.ISO_OFFSET_DATE_TIME));
    }
  }

  @Override
  public void end() throws IOException {
    json.close();
    if (!empty) {
      out.write("\n");
    }
    out.flush();
  }
}
