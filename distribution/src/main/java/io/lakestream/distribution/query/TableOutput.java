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
  private final Grid grid;
  private boolean begun;
  private long rows;

  TableOutput(Writer out, List<Column> columns) {
    this.out = out;
    this.columns = columns;
    boolean[] right = new boolean[columns.size()];
    for (int i = 0; i < right.length; i++) {
      right[i] = isNumber(columns.get(i));
    }
    this.grid = new Grid(right);
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
    printPage();
    out.write(rows == 1 ? "(1 row)\n" : "(" + rows + " rows)\n");
    out.flush();
  }

  private void printPage() throws IOException {
    if (!begun) {
      begun = true;
      String[] names = columns.stream().map(Column::name).toArray(String[]::new);
      grid.measure(names);
      page.forEach(grid::measure);
      out.write(grid.line(names) + "\n" + grid.rule() + "\n");
    }
    for (String[] cells : page) {
      out.write(grid.line(cells) + "\n");
    }
    page.clear();
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
