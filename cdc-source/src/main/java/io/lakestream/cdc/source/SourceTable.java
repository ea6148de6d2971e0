package io.lakestream.cdc.source;

import io.lakestream.tables.schema.TableDefinition;
import java.util.List;

/**
 * A table of the source that can be captured, with what only the source knows of it.
 *
 * @param definition what it is in every home
 * @param columns one per column of the definition, in the same order
 * @param hasPrimaryKey false where the key is that of another unique index
 * @param fingerprint changes whenever the table becomes another one or its columns or key do, even
 *     where every name and type stays the same
 */
public record SourceTable(
    TableDefinition definition,
    List<SourceColumn> columns,
    boolean hasPrimaryKey,
    String fingerprint) {
  /**
   * A column as the source knows it.
   *
   * @param streamType the type as the source's converter names it in {@link
   *     io.lakestream.cdc.decode.StreamField#TYPE}; without the parentheses where the stream may
   *     hold any digits
   * @param castType the declared type as SQL spells it, for casts
   */
  public record SourceColumn(String streamType, String castType) {}

  public SourceTable {
    columns = List.copyOf(columns);
  }

  /** A table with a primary key. */
  public SourceTable(TableDefinition definition, List<SourceColumn> columns, String fingerprint) {
    this(definition, columns, true, fingerprint);
  }

  /** {@code <schema>.<table>}. */
  public String display() {
    return definition.name().display();
  }
}
