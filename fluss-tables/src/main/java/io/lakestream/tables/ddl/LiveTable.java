package io.lakestream.tables.ddl;

import io.lakestream.tables.schema.TableDefinition;
import java.util.ArrayList;
import java.util.List;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TablePath;

/**
 * A Lakestream table as it exists in Fluss now.
 *
 * @param definition read back from the table's custom properties
 * @param path in Fluss
 * @param tableId Fluss table ID, 0 or greater: another one means another table, even at the same
 *     path
 * @param schemaId Fluss schema ID
 */
public record LiveTable(TableDefinition definition, TablePath path, long tableId, int schemaId) {
  /** All buckets of the table, in order. */
  public List<TableBucket> buckets() {
    List<TableBucket> buckets = new ArrayList<>(definition.buckets());
    for (int bucket = 0; bucket < definition.buckets(); bucket++) {
      buckets.add(new TableBucket(tableId, bucket));
    }
    return buckets;
  }
}
