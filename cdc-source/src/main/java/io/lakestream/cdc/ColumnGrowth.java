package io.lakestream.cdc;

import io.lakestream.cdc.position.CapturedTable;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.TableDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Columns that are added to a table in place, where that is exact: they come last, and every row
 * from before them has NULL in them.
 *
 * <p>The source shows that by what it still knows of the table. Its rows lie where they did, so
 * nothing filled the new columns of old rows in; the columns have no default now and had none when
 * they were added; and no other column came or went. Whoever changes a table in another way in
 * between gets a new copy of it.
 */
final class ColumnGrowth {
  private ColumnGrowth() {}

  /**
   * The table with its new columns.
   *
   * @param now as the source has it
   * @param table as it was captured
   * @param held as Fluss holds it
   * @return what Fluss is to hold; empty where the table must be copied anew
   */
  static Optional<TableDefinition> of(SourceTable now, CapturedTable table, TableDefinition held) {
    SourceTable.Storage storage = now.storage();
    CapturedTable.Growth before = table.growth();
    int added = storage.columnsEver() - before.columnsEver();
    List<Column> columns = now.definition().columns();
    int old = columns.size() - added;
    boolean exact =
        table.copied()
            && !table.isPaused()
            && !storage.id().isEmpty()
            && storage.id().equals(before.storage())
            && added > 0
            && old > 0
            && storage.columns().startsWith(before.columns() + ",")
            && held.primaryKey().equals(now.definition().primaryKey())
            // A crash may have left them in Fluss already.
            && (held.columns().size() == old || held.columns().size() == columns.size())
            && columns.subList(old, columns.size()).stream()
                .allMatch(column -> storage.startNull().contains(column.name()));
    for (int i = 0; exact && i < held.columns().size(); i++) {
      exact =
          held.columns().get(i).name().equals(columns.get(i).name())
              && held.columns().get(i).type().equals(columns.get(i).type());
    }
    return exact
        ? Optional.of(
            new TableDefinition(
                now.definition().name(), columns, held.primaryKey(), held.buckets()))
        : Optional.empty();
  }

  /** The columns that Fluss does not hold yet. */
  static List<String> added(TableDefinition grown, CapturedTable table, SourceTable now) {
    int added = now.storage().columnsEver() - table.growth().columnsEver();
    List<String> names = new ArrayList<>(grown.columnNames());
    return names.subList(names.size() - added, names.size());
  }

  /** What is remembered of a table that begins, or goes on without new columns. */
  static CapturedTable.Growth remember(SourceTable now, Map<String, String> added) {
    SourceTable.Storage storage = now.storage();
    return new CapturedTable.Growth(storage.id(), storage.columnsEver(), storage.columns(), added);
  }

  /** What is remembered of a table that has new columns. */
  static CapturedTable.Growth remember(
      SourceTable now, CapturedTable table, List<String> names, TableCopy.Seen seen) {
    Map<String, String> added = new HashMap<>(table.growth().added());
    names.forEach(name -> added.put(name, seen.print()));
    return remember(now, added);
  }
}
