package io.lakestream.tables.ddl;

import static io.lakestream.tables.error.Checks.checkArgument;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.schema.TableDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TablePath;

/**
 * A Lakestream table as it exists in Fluss now.
 *
 * @param definition read back from the table's custom properties
 * @param path in Fluss; nobody makes it of the name, since a table that was rebuilt lies elsewhere
 * @param tableId Fluss table ID, 0 or greater: another one means another table, even at the same
 *     path
 * @param schemaId Fluss schema ID
 * @param generation which of the tables of this name it is
 */
public record LiveTable(
    TableDefinition definition, TablePath path, long tableId, int schemaId, Generation generation) {
  /**
   * One of the Fluss tables that a table has had, see {@link Generations}.
   *
   * @param number 1 for the first
   * @param isBehind true while it is copied and an older one is read in its place
   * @param lastCut the last cut that names the table, where no later one will: what it holds is
   *     from then
   */
  public record Generation(int number, boolean isBehind, Optional<Cut> lastCut) {
    public static final Generation FIRST = new Generation(1, false, Optional.empty());

    public Generation {
      checkArgument(number >= 1, "Invalid generation: %s (must be >= 1)", number);
    }
  }

  /** A table that was never rebuilt. */
  public LiveTable(TableDefinition definition, TablePath path, long tableId, int schemaId) {
    this(definition, path, tableId, schemaId, Generation.FIRST);
  }

  /** The last cut that names the table; empty while later ones do, or none does yet. */
  public Optional<Cut> lastCut() {
    return generation.lastCut();
  }

  /** All buckets of the table, in order. */
  public List<TableBucket> buckets() {
    List<TableBucket> buckets = new ArrayList<>(definition.buckets());
    for (int bucket = 0; bucket < definition.buckets(); bucket++) {
      buckets.add(new TableBucket(tableId, bucket));
    }
    return buckets;
  }
}
