package io.lakestream.tables.schema;

import java.util.List;
import java.util.Optional;

/**
 * One line of a source's table of types: where values of a type live, and how they read.
 *
 * @param sourceType as SQL spells it; several where they share the line
 * @param catalogNames names in the source's own catalog that the line is found by; none for a line
 *     that stands for a kind of types
 * @param home the type in every home; empty where it depends on the declaration
 * @param fluss type in Fluss
 * @param iceberg type in Iceberg
 * @param textForm how a value reads, mostly by an example
 * @param note what a user must know; may be empty
 */
public record TypeMapping(
    String sourceType,
    List<String> catalogNames,
    Optional<ColumnType> home,
    String fluss,
    String iceberg,
    String textForm,
    String note) {
  /** Headings of {@link #cells}. */
  public static final List<String> HEADINGS =
      List.of("SOURCE TYPE", "FLUSS", "ICEBERG", "TEXT FORM", "NOTE");

  public TypeMapping {
    catalogNames = List.copyOf(catalogNames);
  }

  /** A line whose home is one type. */
  static TypeMapping of(
      String sourceType, ColumnType home, String textForm, String note, String... catalogNames) {
    return new TypeMapping(
        sourceType,
        List.of(catalogNames),
        Optional.of(home),
        home.toFluss(true).toString(),
        home.toIceberg().toString(),
        textForm,
        note);
  }

  /** A line whose home follows from the declaration. */
  static TypeMapping declared(
      String sourceType,
      String fluss,
      String iceberg,
      String textForm,
      String note,
      String... catalogNames) {
    return new TypeMapping(
        sourceType, List.of(catalogNames), Optional.empty(), fluss, iceberg, textForm, note);
  }

  /** The line as users read it, one cell per heading. */
  public List<String> cells() {
    return List.of(sourceType, fluss, iceberg, textForm, note);
  }
}
