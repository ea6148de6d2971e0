package io.lakestream.distribution.verify;

import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TextForm;
import java.util.Arrays;
import java.util.List;
import org.apache.iceberg.data.Record;

/** Rows as texts that compare: equal texts, equal values. */
final class RowText {
  private final TableDefinition table;
  private final int[] keyIndexes;

  RowText(TableDefinition table) {
    this.table = table;
    this.keyIndexes = table.keyIndexes();
  }

  /** A row of the view. */
  String[] ofView(Record row) {
    List<Column> columns = table.columns();
    String[] texts = new String[columns.size()];
    for (int i = 0; i < texts.length; i++) {
      Object value = row.getField(columns.get(i).name());
      ColumnType type = columns.get(i).type();
      texts[i] = value == null ? null : number(type, TextForm.print(type, value));
    }
    return texts;
  }

  /** A row of the source. */
  String[] ofSource(String[] row) {
    String[] texts = new String[row.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = row[i] == null ? null : number(table.columns().get(i).type(), row[i]);
    }
    return texts;
  }

  // A floating-point number has more than one text, depending on who prints it.
  private static String number(ColumnType type, String text) {
    return switch (type.kind()) {
      case FLOAT -> Float.toString(Float.parseFloat(text));
      case DOUBLE -> Double.toString(Double.parseDouble(text));
      default -> text;
    };
  }

  List<String> key(String[] row) {
    return Arrays.stream(keyIndexes).mapToObj(i -> row[i]).toList();
  }
}
