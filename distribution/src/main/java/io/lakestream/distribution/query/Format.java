package io.lakestream.distribution.query;

import io.lakestream.tables.schema.Column;
import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** How {@code read} prints rows. NULL and the empty text differ in each. */
enum Format {
  /** For people: columns under one another; long texts are cut. */
  TABLE,
  /** RFC 4180 with a header: NULL is nothing between the commas, the empty text is {@code ""}. */
  CSV,
  /** One JSON object a line: decimals are exact numbers. */
  JSONL;

  RowOutput open(Writer out, List<Column> columns) throws IOException {
    return switch (this) {
      case TABLE -> new TableOutput(out, columns);
      case CSV -> new CsvOutput(out, columns);
      case JSONL -> new JsonOutput(out, columns);
    };
  }
}
