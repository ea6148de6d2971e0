package io.lakestream.tables.schema;

import static io.lakestream.tables.error.Checks.checkArgument;

/**
 * One column of a table.
 *
 * @param name exactly as the source spells it
 * @param type the type in every home
 * @param sourceType the source's own name of the type, for example {@code character varying(25)}
 * @param sourceNotNull true where the source forbids NULL. Kept as metadata: in Fluss every column
 *     outside the key is nullable, because partial updates need that
 */
public record Column(String name, ColumnType type, String sourceType, boolean sourceNotNull) {
  /** Lake column that holds the Fluss bucket of a row; no source column can have this name. */
  public static final String BUCKET = "__bucket";

  public Column {
    checkArgument(!name.isEmpty(), "Invalid column name: it is empty");
    checkArgument(
        !name.equals(BUCKET),
        "Cannot map column %s: Lakestream keeps its own column of this name in the lake. Rename it in the source, or exclude the table.",
        name);
  }
}
