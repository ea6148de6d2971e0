package io.lakestream.cdc.source;

import static io.lakestream.tables.error.Checks.checkArgument;

import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.NearName;
import io.lakestream.tables.schema.MariaDbTypes;
import io.lakestream.tables.schema.PostgresTypes;
import io.lakestream.tables.schema.TypeMapping;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The kinds of databases that can be captured. */
public enum SourceType {
  POSTGRES(5432),
  MARIADB(3306);

  private final int defaultPort;

  SourceType(int defaultPort) {
    this.defaultPort = defaultPort;
  }

  /** Parses {@link #text}. Throws INVALID_ARGUMENT with the name that was probably meant. */
  public static SourceType parse(String text) {
    List<String> names = Arrays.stream(values()).map(SourceType::text).toList();
    checkArgument(
        names.contains(text),
        "Invalid type of source: '%s' (must be %s).%s",
        text,
        String.join(" or ", names),
        NearName.of(text, names).map(near -> " Did you mean '" + near + "'?").orElse(""));
    return valueOf(text.toUpperCase(Locale.ROOT));
  }

  /** As the configuration spells it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Port that servers of this kind listen on unless they are told otherwise. */
  public int defaultPort() {
    return defaultPort;
  }

  /** Patterns of all tables that people keep in a database, where they name none. */
  public List<String> allTables(String database) {
    return switch (this) {
      case POSTGRES -> List.of("public.*");
      case MARIADB -> List.of(TablePatterns.exactly(database) + ".*");
    };
  }

  /** Parses a position as users write it. Throws INVALID_ARGUMENT where it is not one. */
  public SourcePosition parsePosition(String text) {
    return switch (this) {
      case POSTGRES -> SourcePosition.parseLsn(text);
      case MARIADB -> SourcePosition.parseBinlog(text);
    };
  }

  /** Where each type of this kind of database lives, in the order that users read it. */
  public List<TypeMapping> types() {
    return switch (this) {
      case POSTGRES -> PostgresTypes.MAPPINGS;
      case MARIADB -> MariaDbTypes.MAPPINGS;
    };
  }
}
