package io.lakestream.tables.lake;

import io.lakestream.tables.ddl.DefinitionJson;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.TableDefinition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.types.Types;

/**
 * What a table looks like in Iceberg: its own columns plus one int column {@value Column#BUCKET},
 * identity partitioned by it, identifier fields = primary key, format v3.
 */
public final class LakeLayout {
  /** Iceberg table property: Fluss table ID whose log the table holds. */
  public static final String TABLE_ID_PROPERTY = "lakestream.table-id";

  /** Iceberg table property: the definition as JSON, a mirror of the one in Fluss. */
  public static final String DEFINITION_PROPERTY = "lakestream.definition";

  private LakeLayout() {}

  /** Field IDs: columns 1, 2, … in the definition's order, then the bucket. */
  public static Schema schema(TableDefinition definition) {
    List<Types.NestedField> fields = new ArrayList<>();
    Set<Integer> identifiers = new HashSet<>();
    for (Column column : definition.columns()) {
      int id = fields.size() + 1;
      boolean key = definition.primaryKey().contains(column.name());
      fields.add(
          key
              ? Types.NestedField.required(id, column.name(), column.type().toIceberg())
              : Types.NestedField.optional(id, column.name(), column.type().toIceberg()));
      if (key) {
        identifiers.add(id);
      }
    }
    fields.add(
        Types.NestedField.required(fields.size() + 1, Column.BUCKET, Types.IntegerType.get()));
    // Iceberg has no float or double identifiers; such a key still is the key, in Fluss and in
    // ours.
    identifiers.removeIf(
        id -> {
          Types.NestedField field = fields.get(id - 1);
          return field.type().equals(Types.FloatType.get())
              || field.type().equals(Types.DoubleType.get());
        });
    return new Schema(fields, identifiers);
  }

  public static PartitionSpec spec(Schema schema) {
    return PartitionSpec.builderFor(schema).identity(Column.BUCKET).build();
  }

  public static Map<String, String> properties(LiveTable table) {
    Map<String, String> properties = new HashMap<>();
    properties.put(TABLE_ID_PROPERTY, Long.toString(table.tableId()));
    properties.put(DEFINITION_PROPERTY, DefinitionJson.write(table.definition()));
    properties.put(TableProperties.FORMAT_VERSION, "3");
    // Each commit re-checks its offsets itself; a blind retry would append on top of another
    // writer.
    properties.put(TableProperties.COMMIT_NUM_RETRIES, "0");
    properties.put(TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED, "true");
    properties.put(TableProperties.METADATA_PREVIOUS_VERSIONS_MAX, "20");
    // A round adds two manifests. Every read and every commit opens all that are there, so merge
    // them long before the default of 100.
    properties.put(TableProperties.MANIFEST_MIN_MERGE_COUNT, "8");
    properties.put(TableProperties.PARQUET_COMPRESSION, "zstd");
    properties.put(TableProperties.DELETE_MODE, "merge-on-read");
    properties.put(TableProperties.UPDATE_MODE, "merge-on-read");
    properties.put(TableProperties.MERGE_MODE, "merge-on-read");
    return properties;
  }
}
