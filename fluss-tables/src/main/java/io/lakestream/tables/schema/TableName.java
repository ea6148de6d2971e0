package io.lakestream.tables.schema;

import static io.lakestream.tables.error.Checks.checkArgument;

import java.util.OptionalInt;
import org.apache.fluss.metadata.TablePath;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * A captured table's name, and the one place that says how it is spelled in Fluss and Iceberg.
 *
 * <p>Fluss allows letters, digits, {@code _} and {@code -} only. The database is the source, the
 * table {@code <schema>__<table>}; every other character, and every underscore that would make
 * {@code __} or {@code _x} ambiguous, becomes {@code _x} and four hexadecimal digits. Two different
 * names never share a spelling. Iceberg uses the same two names as namespace and table.
 *
 * @param source name of the source in the configuration: letters, digits, {@code _} and {@code -},
 *     at most 60, not {@value #SYSTEM_DATABASE}
 * @param schema schema of the table in the source, exactly as the source spells it
 * @param table name of the table in the source, exactly as the source spells it
 */
public record TableName(String source, String schema, String table)
    implements Comparable<TableName> {
  /** Fluss database of Lakestream's own tables: cuts, progress, states, quarantine. */
  public static final String SYSTEM_DATABASE = "lakestream";

  private static final String SEPARATOR = "__";
  // Fluss allows 200; the rest is for a separator and the number of a generation.
  private static final int MAX_FLUSS_NAME_LENGTH = 190;

  public TableName {
    checkArgument(
        source.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,59}") && !source.equals(SYSTEM_DATABASE),
        "Invalid source name: '%s' (must be 1 to 60 letters, digits, '_' or '-', and not %s)",
        source,
        SYSTEM_DATABASE);
    checkArgument(
        !schema.isEmpty() && !table.isEmpty(), "Invalid table name: schema or table is empty");
  }

  /** {@code <schema>.<table>}: the name users see and type. */
  public String display() {
    return schema + "." + table;
  }

  /**
   * The path in Fluss of the table's first generation. Throws INVALID_ARGUMENT where the spelling
   * is longer than Fluss allows.
   */
  public TablePath toFluss() {
    String name = spell(schema) + SEPARATOR + spell(table);
    checkArgument(
        name.length() <= MAX_FLUSS_NAME_LENGTH,
        "Cannot capture table %s: its name takes %s characters in Fluss (must be <= %s). Exclude it from tables, or rename it in the source.",
        display(),
        name.length(),
        MAX_FLUSS_NAME_LENGTH);
    return TablePath.of(source, name);
  }

  /**
   * The path in Fluss of a generation of the table: {@code <schema>__<table>} for the first, {@code
   * <schema>__<table>__<generation>} for those after it. No spelled name contains {@code __}, so
   * this is nobody else's.
   *
   * @param generation 1 or greater
   */
  public TablePath toFluss(int generation) {
    TablePath first = toFluss();
    return generation == 1
        ? first
        : TablePath.of(source, first.getTableName() + SEPARATOR + generation);
  }

  /** The generation of this table that has a path in Fluss; empty where none has. */
  public OptionalInt generationAt(TablePath path) {
    String first = toFluss().getTableName();
    String name = path.getTableName();
    if (name.equals(first)) {
      return OptionalInt.of(1);
    }
    String number =
        name.startsWith(first + SEPARATOR)
            ? name.substring(first.length() + SEPARATOR.length())
            : "";
    return path.getDatabaseName().equals(source) && number.matches("[1-9][0-9]{0,7}")
        ? OptionalInt.of(Integer.parseInt(number))
        : OptionalInt.empty();
  }

  /** The table's identifier in Iceberg. */
  public TableIdentifier toIceberg() {
    TablePath path = toFluss();
    return TableIdentifier.of(path.getDatabaseName(), path.getTableName());
  }

  private static String spell(String name) {
    StringBuilder spelled = new StringBuilder(name.length());
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (isPlain(c) || (c == '_' && standsBetweenPlain(name, i))) {
        spelled.append(c);
      } else {
        spelled.append(String.format("_x%04x", (int) c));
      }
    }
    return spelled.toString();
  }

  // With this rule no spelling contains "__" or ends in "_", so the separator is found again, and
  // "_x" always starts an escape.
  private static boolean standsBetweenPlain(String name, int i) {
    return i > 0
        && i + 1 < name.length()
        && isPlain(name.charAt(i + 1))
        && name.charAt(i + 1) != 'x';
  }

  private static boolean isPlain(char c) {
    return c < 128 && Character.isLetterOrDigit(c);
  }

  @Override
  public int compareTo(TableName other) {
    int bySource = source.compareTo(other.source);
    if (bySource != 0) {
      return bySource;
    }
    int bySchema = schema.compareTo(other.schema);
    return bySchema != 0 ? bySchema : table.compareTo(other.table);
  }

  @Override
  public String toString() {
    return source + "/" + display();
  }
}
