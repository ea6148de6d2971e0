package io.lakestream.cdc.source;

import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.TableDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A table of the source that can be captured, with what only the source knows of it.
 *
 * @param definition what it is in every home
 * @param columns one per column of the definition, in the same order
 * @param hasPrimaryKey false where the key is that of another unique index
 * @param fingerprint changes whenever the table becomes another one or its columns or key do, even
 *     where every name and type stays the same
 * @param storage tells whether columns that were added are NULL in all rows from before
 */
public record SourceTable(
    TableDefinition definition,
    List<SourceColumn> columns,
    boolean hasPrimaryKey,
    String fingerprint,
    Storage storage) {
  /**
   * A column as the source knows it.
   *
   * @param streamType the type as the source's converter names it in {@link
   *     io.lakestream.cdc.decode.StreamField#TYPE}; without the parentheses where the stream may
   *     hold any digits
   * @param castType the declared type as SQL spells it, for casts
   */
  public record SourceColumn(String streamType, String castType) {}

  /**
   * How the source keeps the rows of a table.
   *
   * @param id changes whenever the rows may have been written anew without a trace in the log;
   *     empty where the source does not tell
   * @param columnsEver number of columns that the table has ever had, dropped ones included
   * @param columns what the fingerprint says of the columns, one behind the other
   * @param startNull names of the columns that are NULL in every row from before them
   */
  public record Storage(String id, int columnsEver, String columns, Set<String> startNull) {
    static final Storage UNTOLD = new Storage("", 0, "", Set.of());

    public Storage {
      startNull = Set.copyOf(startNull);
    }
  }

  public SourceTable {
    columns = List.copyOf(columns);
  }

  /** A table with a primary key. */
  public SourceTable(TableDefinition definition, List<SourceColumn> columns, String fingerprint) {
    this(definition, columns, true, fingerprint, Storage.UNTOLD);
  }

  /**
   * The same table as a Fluss table holds it: columns in that one's order, its number of buckets.
   *
   * @return empty where it has other columns, types or another key
   */
  public Optional<SourceTable> fittedTo(TableDefinition held) {
    List<Column> inOrder = new ArrayList<>();
    List<SourceColumn> sourceColumns = new ArrayList<>();
    for (Column column : held.columns()) {
      int index = definition.columnNames().indexOf(column.name());
      if (index < 0 || !definition.columns().get(index).type().equals(column.type())) {
        return Optional.empty();
      }
      inOrder.add(definition.columns().get(index));
      sourceColumns.add(columns.get(index));
    }
    if (inOrder.size() != columns.size() || !held.primaryKey().equals(definition.primaryKey())) {
      return Optional.empty();
    }
    return Optional.of(
        new SourceTable(
            new TableDefinition(
                definition.name(), inOrder, definition.primaryKey(), held.buckets()),
            sourceColumns,
            hasPrimaryKey,
            fingerprint,
            storage));
  }

  /** {@code <schema>.<table>}. */
  public String display() {
    return definition.name().display();
  }
}
