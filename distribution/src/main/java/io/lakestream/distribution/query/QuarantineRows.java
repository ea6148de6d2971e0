package io.lakestream.distribution.query;

import io.lakestream.cdc.decode.KeyJson;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.error.NearName;
import io.lakestream.tables.system.Quarantine;
import io.lakestream.tables.system.Quarantine.Entry;
import java.util.List;

/** Finds rows in quarantine as users name them. */
final class QuarantineRows {
  private QuarantineRows() {}

  /** The rows of a source. */
  static List<Entry> list(FlussTables tables, String source) {
    try (Quarantine quarantine = Quarantine.open(tables)) {
      return quarantine.list().stream().filter(entry -> entry.source().equals(source)).toList();
    }
  }

  /**
   * The rows of a table.
   *
   * @throws LakestreamException UNKNOWN_TABLE where it has none
   */
  static List<Entry> of(List<Entry> entries, String table) {
    List<Entry> found = entries.stream().filter(entry -> entry.table().equals(table)).toList();
    if (found.isEmpty()) {
      List<String> names = entries.stream().map(Entry::table).distinct().toList();
      throw new LakestreamException(
          ErrorCode.UNKNOWN_TABLE,
          "No row of table %s is in quarantine.%s",
          table,
          NearName.of(table, names).map(near -> " Did you mean " + near + "?").orElse(""));
    }
    return found;
  }

  /**
   * The row of a key.
   *
   * @param typed the key as {@code list} prints it, or its values with commas between them
   * @throws LakestreamException INVALID_ARGUMENT where no row, or several, have it
   */
  static Entry find(List<Entry> rows, String typed) {
    List<Entry> found =
        rows.stream()
            .filter(
                entry ->
                    entry.key().equals(typed)
                        || String.join(",", KeyJson.texts(entry.key())).equals(typed))
            .toList();
    if (found.size() == 1) {
      return found.get(0);
    }
    throw new LakestreamException(
        ErrorCode.INVALID_ARGUMENT,
        "%s row of table %s in quarantine has the key %s. 'lakestream cdc quarantine list' prints the keys; write one as it stands there.",
        found.isEmpty() ? "No" : "More than one",
        rows.get(0).table(),
        typed);
  }
}
