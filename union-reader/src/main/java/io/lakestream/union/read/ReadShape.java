package io.lakestream.union.read;

import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.TableDefinition;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;

/**
 * Which columns a read needs, in one order for tail and lake: those of the result, then what only
 * the filter needs, then what only the key needs.
 *
 * @param columns the needed columns under the table's name and key
 * @param indexes of these columns in the table
 * @param resultCount how many of them are the result
 * @param filteredCount how many of them are the result or needed by the filter
 * @param schema Iceberg schema of {@code columns}
 */
record ReadShape(
    TableDefinition columns,
    List<Integer> indexes,
    int resultCount,
    int filteredCount,
    Schema schema) {
  /**
   * Works the shape out.
   *
   * @param lakeSchema of the lake table, or the layout it would have
   */
  static ReadShape of(
      TableDefinition table, List<String> resultColumns, RowFilter filter, Schema lakeSchema) {
    Set<String> names =
        new LinkedHashSet<>(resultColumns.isEmpty() ? table.columnNames() : resultColumns);
    int resultCount = names.size();
    names.addAll(filter.columns());
    int filteredCount = names.size();
    names.addAll(table.primaryKey());
    List<Integer> indexes = names.stream().map(table::indexOf).toList();
    List<Column> columns = new ArrayList<>();
    List<Types.NestedField> fields = new ArrayList<>();
    for (int index : indexes) {
      Column column = table.columns().get(index);
      columns.add(column);
      Types.NestedField field = lakeSchema.findField(column.name());
      // A column that the lake lacks: an ID that no lake column has makes its reader fill in NULL.
      fields.add(
          field != null
              ? field
              : Types.NestedField.optional(
                  lakeSchema.highestFieldId() + 1 + index,
                  column.name(),
                  column.type().toIceberg()));
    }
    return new ReadShape(
        new TableDefinition(table.name(), columns, table.primaryKey(), table.buckets()),
        indexes,
        resultCount,
        filteredCount,
        new Schema(fields));
  }

  /** Schema of the result. */
  Schema resultSchema() {
    return first(resultCount);
  }

  /** Schema of result and filter, without what only the key needs. */
  Schema filteredSchema() {
    return first(filteredCount);
  }

  private Schema first(int count) {
    return new Schema(schema.columns().subList(0, count));
  }
}
