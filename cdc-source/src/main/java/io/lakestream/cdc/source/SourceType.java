package io.lakestream.cdc.source;

import io.lakestream.tables.schema.MariaDbTypes;
import io.lakestream.tables.schema.PostgresTypes;
import io.lakestream.tables.schema.TypeMapping;
import java.util.List;
import java.util.Locale;

/** The kinds of databases that can be captured. */
public enum SourceType {
  POSTGRES,
  MARIADB;

  /** As the configuration spells it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Where each type of this kind of database lives, in the order that users read it. */
  public List<TypeMapping> types() {
    return switch (this) {
      case POSTGRES -> PostgresTypes.MAPPINGS;
      case MARIADB -> MariaDbTypes.MAPPINGS;
    };
  }
}
