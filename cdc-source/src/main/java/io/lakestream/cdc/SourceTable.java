package io.lakestream.cdc;

import io.lakestream.tables.schema.TableDefinition;
import java.util.List;

/**
 * A table of the source that can be captured, with what only PostgreSQL knows of it.
 *
 * @param definition what it is in every home
 * @param columns one per column of the definition, in the same order
 * @param fingerprint changes whenever the table becomes another one or its columns or key do, even
 *     where every name and type stays the same
 */
public record SourceTable(
    TableDefinition definition, List<SourceColumn> columns, String fingerprint) {
  /**
   * A column as PostgreSQL knows it.
   *
   * @param baseType object ID of the type, domains resolved to their base type
   * @param castType the declared type as SQL spells it, for casts
   */
  public record SourceColumn(int baseType, String castType) {}

  public SourceTable {
    columns = List.copyOf(columns);
  }

  /** {@code <schema>.<table>}. */
  public String display() {
    return definition.name().display();
  }

  /** The table's name as SQL spells it. */
  public String sqlName() {
    return Sql.quote(definition.name().schema()) + "." + Sql.quote(definition.name().table());
  }
}
