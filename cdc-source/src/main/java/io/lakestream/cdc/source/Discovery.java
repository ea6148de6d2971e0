package io.lakestream.cdc.source;

import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableDefinition;
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

  /** The definitions of {@link #tables}. */
  public List<TableDefinition> definitions() {
    return tables.stream().map(SourceTable::definition).toList();
  }
}
