package io.lakestream.distribution.query;

import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType.Kind;
import io.lakestream.tables.schema.TextForm;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows for people: aligned by the widths of the first page, so that any number of rows can follow
 * in little memory. NULL prints as {@code NULL}; the text NULL prints in quotes.
 */
final class TableOutput implements RowOutput {
  private static final int PAGE = 1000;
  private static final int MAX_WIDTH = 60;

  private final Writer out;
  private final List<Column> columns;
  private final List<String[]> page = new ArrayList<>();
  private int[] widths;
  private long rows;

  TableOutput(Writer out, List<Column> columns) {
    this.out = out;
    this.columns = columns;
  }

  @Override
  public void row(Object[] values) throws IOException {
    String[] cells = new String[values.length];
    for (int i = 0; i < cells.length; i++) {
      cells[i] = cell(columns.get(i), values[i]);
    }
    rows++;
    page.add(cells);
    if (page.size() == PAGE) {
      printPage();
    }
  }

  @Override
  public void end() throws IOException {
    if (!page.isEmpty() || widths == null) {
      printPage();
    }
    out.write(rows == 1 ? "(1 row)\n" : "(" + rows + " rows)\n");
    out.flush();
  }

  private void printPage() throws IOException {
    if (widths == null) {
      String[] names = columns.stream().map(Column::name).toArray(String[]::new);
      widths = new int[columns.size()];
      measure(names);
      page.forEach(this::measure);
      print(names);
      for (int i = 0; i < widths.length; i++) {
        out.write((i == 0 ? "" : "  ") + "-".repeat(widths[i]));
      }
      out.write("\n");
    }
    for (String[] cells : page) {
      print(cells);
    }
    page.clear();
  }

  private void measure(String[] cells) {
    for (int i = 0; i < cells.length; i++) {
      widths[i] = Math.max(widths[i], CellText.width(cells[i]));
    }
  }

  private void print(String[] cells) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.length; i++) {
      String blanks = " ".repeat(Math.max(0, widths[i] - CellText.width(cells[i])));
      boolean right = isNumber(columns.get(i));
      line.append(i == 0 ? "" : "  ").append(right ? blanks + cells[i] : cells[i] + blanks);
    }
    out.write(line.toString().stripTrailing() + "\n");
  }

  private static boolean isNumber(Column column) {
    Kind kind = column.type().kind();
    return kind.compareTo(Kind.SMALLINT) >= 0 && kind.compareTo(Kind.DECIMAL) <= 0;
  }

  private static String cell(Column column, Object value) {
    if (value == null) {
      return "NULL";
    }
    String text = CellText.printable(TextForm.print(column.type(), value));
    boolean isWordNull = text.equals("NULL");
    return CellText.cut(isWordNull ? "\"NULL\"" : text, MAX_WIDTH);
  }
}
