package io.lakestream.distribution.query;

import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.dataformat.csv.CsvGenerator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.TextForm;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** CSV as {@code COPY … CSV HEADER} of PostgreSQL prints it, values in PostgreSQL's text form. */
final class CsvOutput implements RowOutput {
  private final List<Column> columns;
  private final CsvGenerator csv;

  CsvOutput(Writer out, List<Column> columns) throws IOException {
    this.columns = columns;
    CsvSchema.Builder schema = CsvSchema.builder().setNullValue("").setLineSeparator("\n");
    columns.forEach(column -> schema.addColumn(column.name()));
    this.csv =
        CsvMapper.builder()
            .enable(CsvGenerator.Feature.STRICT_CHECK_FOR_QUOTING)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build()
            .getFactory()
            .createGenerator(out);
    // The generator would print the header with the first row: too late where there is none.
    csv.setSchema(schema.build());
    header();
  }

  private void header() throws IOException {
    csv.writeStartObject();
    for (Column column : columns) {
      csv.writeStringField(column.name(), column.name());
    }
    csv.writeEndObject();
  }

  @Override
  public void row(Object[] values) throws IOException {
    csv.writeStartObject();
    for (int i = 0; i < values.length; i++) {
      csv.writeFieldName(columns.get(i).name());
      write(values[i] == null ? null : TextForm.print(columns.get(i).type(), values[i]));
    }
    csv.writeEndObject();
  }

  private void write(String text) throws IOException {
    if (text == null) {
      csv.writeNull();
    } else if (text.isEmpty()) {
      csv.writeRawValue("\"\""); // the library's own setting for it fails with strict quoting
    } else {
      csv.writeString(text);
    }
  }

  @Override
  public void end() throws IOException {
    csv.close();
  }
}
