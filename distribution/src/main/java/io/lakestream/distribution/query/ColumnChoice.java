package io.lakestream.distribution.query;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.error.NearName;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.TableDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Finds the columns that users name. */
final class ColumnChoice {
  private ColumnChoice() {}

  /**
   * Finds a column as SQL spells it: exact between double quotes, otherwise in lower case, or as
   * typed where only that exists.
   */
  static Column inSql(TableDefinition table, String name) {
    if (name.length() >= 2 && name.startsWith("\"") && name.endsWith("\"")) {
      String exact = name.substring(1, name.length() - 1).replace("\"\"", "\"");
      return find(table, exact)
          .orElseThrow(() -> unknown(table, exact, " Texts take single quotes."));
    }
    return find(table, name.toLowerCase(Locale.ROOT))
        .or(() -> find(table, name))
        .orElseThrow(() -> unknown(table, name, ""));
  }

  /** Finds the columns of a comma-separated list, in its order. */
  static List<Column> list(TableDefinition table, List<String> names) {
    List<Column> columns = new ArrayList<>();
    for (String name : names) {
      columns.add(inSql(table, name.strip()));
    }
    return columns;
  }

  private static Optional<Column> find(TableDefinition table, String name) {
    return table.columns().stream().filter(column -> column.name().equals(name)).findFirst();
  }

  private static LakestreamException unknown(TableDefinition table, String name, String hint) {
    return new LakestreamException(
        ErrorCode.INVALID_ARGUMENT,
        "Table %s has no column '%s'.%s%s Its columns: %s",
        table.name().display(),
        name,
        NearName.of(name, table.columnNames())
            .map(near -> " Did you mean '" + near + "'?")
            .orElse(""),
        hint,
        String.join(", ", table.columnNames()));
  }
}
