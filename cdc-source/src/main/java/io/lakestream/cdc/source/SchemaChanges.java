package io.lakestream.cdc.source;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.util.Locale;
import java.util.Map;

/**
 * What happens to tables whose shape changes in a way that Fluss cannot follow in place.
 *
 * @param ofSource for every table that has no choice of its own
 * @param tables by {@code <schema>.<table>}, names exactly as the source spells them
 */
public record SchemaChanges(Choice ofSource, Map<String, Choice> tables) {
  /** The choices. */
  public enum Choice {
    /** The table is copied anew behind its name; what it was is read until the copy is whole. */
    FOLLOW,
    /** The table is paused, and waits for somebody to ask for a new copy. */
    PAUSE;

    /** Parses what the configuration says. Throws INVALID_ARGUMENT where it is neither. */
    public static Choice parse(String text) {
      for (Choice choice : values()) {
        if (choice.text().equals(text)) {
          return choice;
        }
      }
      throw new LakestreamException(
          ErrorCode.INVALID_ARGUMENT,
          "Invalid schema-change: '%s' (must be follow or pause)",
          text);
    }

    /** As the configuration spells it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** All are followed. */
  public static final SchemaChanges FOLLOWED = new SchemaChanges(Choice.FOLLOW, Map.of());

  public SchemaChanges {
    tables = Map.copyOf(tables);
  }

  /**
   * True where changes of a table are followed.
   *
   * @param table {@code <schema>.<table>}
   */
  public boolean areFollowed(String table) {
    return tables.getOrDefault(table, ofSource) == Choice.FOLLOW;
  }
}
