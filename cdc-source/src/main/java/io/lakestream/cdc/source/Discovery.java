package io.lakestream.cdc.source;

import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableDefinition;
import java.util.ArrayList;
import java.util.List;

/**
 * What the patterns match in the source.
 *
 * @param tables that can be captured, ordered by name
 * @param refusals tables that cannot, ordered by name
 */
public record Discovery(List<SourceTable> tables, List<Refusal> refusals) {
  public Discovery {
    tables = List.copyOf(tables);
    refusals = List.copyOf(refusals);
  }

  /**
   * Does nothing where there is a table to capture.
   *
   * @param source its name
   * @throws LakestreamException otherwise, with the code of the first refusal
   */
  public void checkNotEmpty(String source) {
    if (tables.isEmpty()) {
      Refusal first = refusals.get(0);
      throw new LakestreamException(
          first.code(),
          "Cannot capture source %s: none of the %s tables that match can be captured. The first: %s",
          source,
          refusals.size(),
          first.reason());
    }
  }

  /** Each table with its key, or why it cannot be captured. */
  public List<Requirement> requirements() {
    List<Requirement> all = new ArrayList<>();
    for (SourceTable table : tables) {
      all.add(
          Requirement.met(
              "table " + table.display(),
              "a key, exact types",
              "key (%s), %s columns"
                  .formatted(
                      String.join(", ", table.definition().primaryKey()),
                      table.definition().columns().size())));
    }
    for (Refusal refusal : refusals) {
      all.add(
          Requirement.missing(
              "table " + refusal.display(),
              "a key, exact types",
              refusal.problem(),
              refusal.fix(),
              new LakestreamException(refusal.code(), "%s", refusal.reason())));
    }
    return all;
  }

  /** The definitions of {@link #tables}. */
  public List<TableDefinition> definitions() {
    return tables.stream().map(SourceTable::definition).toList();
  }
}
