package io.lakestream.tables.schema;

import static io.lakestream.tables.error.Checks.checkArgument;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.fluss.types.DataField;
import org.apache.fluss.types.RowType;

/**
 * What a logical table is: the same in the source's words, in Fluss and in the lake.
 *
 * @param name source, schema and table
 * @param columns in the order of the Fluss table, at least one
 * @param primaryKey names of the key columns in the order of the source's key, at least one
 * @param buckets number of Fluss buckets, at least 1; fixed at creation
 */
public record TableDefinition(
    TableName name, List<Column> columns, List<String> primaryKey, int buckets) {
  public TableDefinition {
    columns = List.copyOf(columns);
    primaryKey = List.copyOf(primaryKey);
    checkArgument(
        buckets >= 1, "Invalid bucket count of table %s: %s (must be >= 1)", name, buckets);
    Set<String> names = new HashSet<>();
    for (Column column : columns) {
      checkArgument(names.add(column.name()), "Table %s has column %s twice", name, column.name());
    }
    if (primaryKey.isEmpty()) {
      throw new LakestreamException(
          ErrorCode.MISSING_PRIMARY_KEY,
          "Cannot capture table %s: it has no primary key. Add one in the source, or exclude the table.",
          name.display());
    }
    for (String key : primaryKey) {
      checkArgument(names.contains(key), "Table %s has no key column %s", name, key);
    }
  }

  /**
   * Index of the column, 0-based. Throws INVALID_ARGUMENT where the table has none of this name.
   */
  public int indexOf(String column) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(column)) {
        return i;
      }
    }
    throw new LakestreamException(
        ErrorCode.INVALID_ARGUMENT,
        "Table %s has no column '%s' (columns: %s)",
        name.display(),
        column,
        String.join(", ", columnNames()));
  }

  public List<String> columnNames() {
    return columns.stream().map(Column::name).toList();
  }

  /** Indexes of the key columns in {@link #columns}, in the key's order. */
  public int[] keyIndexes() {
    return primaryKey.stream().mapToInt(this::indexOf).toArray();
  }

  /** The Fluss row type: key columns NOT NULL, all others nullable. */
  public RowType toFlussRowType() {
    List<DataField> fields =
        columns.stream()
            .map(
                column ->
                    new DataField(
                        column.name(), column.type().toFluss(!primaryKey.contains(column.name()))))
            .toList();
    return new RowType(fields);
  }
}
