package io.lakestream.distribution.query;

import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.error.NearName;
import io.lakestream.tables.schema.TableName;
import java.util.List;

/** Finds the table that a user names: {@code schema.table}, or {@code source/schema.table}. */
final class TableChoice {
  private TableChoice() {}

  /**
   * Finds one table.
   *
   * @param all tables of the instance
   * @throws LakestreamException UNKNOWN_TABLE with the name that may have been meant,
   *     INVALID_ARGUMENT where several sources have one of this name
   */
  static LiveTable find(List<LiveTable> all, String typed) {
    List<LiveTable> found =
        all.stream().filter(table -> isNamed(table.definition().name(), typed)).toList();
    if (found.size() == 1) {
      return found.get(0);
    }
    if (found.isEmpty()) {
      throw unknown(all, typed);
    }
    throw new LakestreamException(
        ErrorCode.INVALID_ARGUMENT,
        "Table name %s is ambiguous: name one of %s",
        typed,
        String.join(
            ", ", found.stream().map(table -> table.definition().name().toString()).toList()));
  }

  private static boolean isNamed(TableName name, String typed) {
    return name.display().equals(typed) || name.toString().equals(typed);
  }

  private static LakestreamException unknown(List<LiveTable> all, String typed) {
    if (all.isEmpty()) {
      return new LakestreamException(
          ErrorCode.UNKNOWN_TABLE,
          "There is no table %s: nothing is captured yet. 'lakestream status' shows how far it is.",
          typed);
    }
    List<String> names =
        all.stream()
            .map(table -> table.definition().name())
            .map(name -> typed.contains("/") ? name.toString() : name.display())
            .distinct()
            .toList();
    // Often just the schema is missing.
    String hint =
        names.stream()
            .filter(name -> name.endsWith("." + typed))
            .findFirst()
            .or(() -> NearName.of(typed, names))
            .or(() -> NearName.of("public." + typed, names))
            .map(near -> "Did you mean " + near + "?")
            .orElse("'lakestream tables' lists them.");
    return new LakestreamException(
        ErrorCode.UNKNOWN_TABLE, "There is no table %s. %s", typed, hint);
  }
}
