package io.lakestream.cdc.postgres;

import io.lakestream.cdc.source.Requirement;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.error.NearName;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks that every table and column that the configuration names is there. */
final class PostgresOverrides {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresOverrides.class);

  private static final String COLUMNS =
      """
      select n.nspname, c.relname, a.attname
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind in ('r', 'p') and not c.relispartition
        and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
      """;

  private record Found(String schema, String table, String column) {
    String display() {
      return schema + "." + table;
    }
  }

  private static final String NAME = "table-settings";
  private static final String REQUIRED = "tables and columns that are there";

  private PostgresOverrides() {}

  /**
   * Checks the names.
   *
   * @param resumes true where capture goes on: then a table or column may be gone since, which
   *     holds up nobody
   * @return empty where no name is set; not met where one is wrong, with the one that was probably
   *     meant
   */
  static Optional<Requirement> check(PostgresConnection source, boolean resumes) {
    SourceConfig config = source.config();
    if (config.overrides().tables().isEmpty()) {
      return Optional.empty();
    }
    List<Found> found =
        source.list(
            "list the columns",
            COLUMNS,
            row -> new Found(row.getString(1), row.getString(2), row.getString(3)));
    Map<String, Collection<String>> columns = new TreeMap<>();
    for (Found column : found) {
      if (config.patterns().match(column.schema(), column.table())) {
        columns.computeIfAbsent(column.display(), name -> new TreeSet<>()).add(column.column());
      }
    }
    try {
      config
          .overrides()
          .tables()
          .forEach((table, chosen) -> check(config, columns, table, chosen.keySet()));
      return Optional.of(Requirement.met(NAME, REQUIRED, "they are"));
    } catch (LakestreamException e) {
      if (!resumes) {
        return Optional.of(Requirement.missing(NAME, REQUIRED, "others", e.getMessage(), e));
      }
      LOG.warn("Setting without effect: source={} reason={}", config.name(), e.getMessage());
      return Optional.of(Requirement.met(NAME, REQUIRED, "some are gone since"));
    }
  }

  private static void check(
      SourceConfig config,
      Map<String, Collection<String>> columns,
      String table,
      Collection<String> chosen) {
    String place =
        String.format(Locale.ROOT, "sources.%s.table-settings.'%s'", config.name(), table);
    if (!columns.containsKey(table)) {
      throw unknown(config, place, "no table " + table + " is captured", table, columns.keySet());
    }
    for (String column : chosen) {
      if (!columns.get(table).contains(column)) {
        throw unknown(
            config,
            place + ".columns",
            "table " + table + " has no column " + column,
            column,
            columns.get(table));
      }
    }
  }

  private static LakestreamException unknown(
      SourceConfig config, String place, String what, String name, Collection<String> known) {
    return new LakestreamException(
        ErrorCode.INVALID_CONFIG,
        "Cannot capture source %s: %s: %s.%s",
        config.name(),
        place,
        what,
        NearName.of(name, known)
            .map(near -> " Did you mean '" + near + "'?")
            .orElse(" Known here: " + String.join(", ", known) + "."));
  }
}
