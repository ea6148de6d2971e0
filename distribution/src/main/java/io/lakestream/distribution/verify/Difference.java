package io.lakestream.distribution.verify;

import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import java.util.List;

/**
 * One place where the view is not the source.
 *
 * @param table where
 * @param key the row's key values as text, in the key's order
 * @param column name of the column; {@value #WHOLE_ROW} where a whole row is missing or too many
 * @param source what the source holds, for people
 * @param view what the view shows, for people
 */
public record Difference(
    TableName table, List<String> key, String column, String source, String view) {
  static final String WHOLE_ROW = "(row)";

  private static final String NO_ROW = "no row";
  private static final String A_ROW = "a row";

  public Difference {
    key = List.copyOf(key);
  }

  static Difference value(
      TableDefinition table, List<String> key, String column, String source, String view) {
    return new Difference(table.name(), key, column, quote(source), quote(view));
  }

  static Difference missing(TableDefinition table, List<String> key) {
    return new Difference(table.name(), key, WHOLE_ROW, A_ROW, NO_ROW);
  }

  static Difference extra(TableDefinition table, List<String> key) {
    return new Difference(table.name(), key, WHOLE_ROW, NO_ROW, A_ROW);
  }

  static Difference twice(TableDefinition table, List<String> key) {
    return new Difference(table.name(), key, WHOLE_ROW, A_ROW, "the row more than once");
  }

  boolean isMissingRow() {
    return column.equals(WHOLE_ROW) && view.equals(NO_ROW);
  }

  // NULL and the empty text must not look alike.
  private static String quote(String text) {
    return text == null ? "NULL" : "'" + text.replace("'", "''") + "'";
  }

  /** One line for people. */
  @Override
  public String toString() {
    return "difference table="
        + table.display()
        + " key=("
        + String.join(", ", key)
        + ") column="
        + column
        + " source="
        + source
        + " view="
        + view;
  }
}
