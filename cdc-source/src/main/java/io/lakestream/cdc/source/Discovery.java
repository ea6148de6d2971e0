package io.lakestream.cdc.source;

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

  /** The definitions of {@link #tables}. */
  public List<TableDefinition> definitions() {
    return tables.stream().map(SourceTable::definition).toList();
  }
}
