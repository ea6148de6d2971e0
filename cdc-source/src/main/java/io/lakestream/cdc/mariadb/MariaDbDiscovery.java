package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.source.Discovery;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.SourceTable.SourceColumn;
import io.lakestream.cdc.source.TableChecks;
import io.lakestream.cdc.source.TablePatterns;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.MariaDbTypes;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds the tables that a source's patterns match, and what stands in the way of each. */
final class MariaDbDiscovery {
  private static final Set<String> SYSTEM =
      Set.of("mysql", "information_schema", "performance_schema", "sys");
  private static final Set<String> ENGINES = Set.of("INNODB", "ARIA", "MYISAM", "ROCKSDB");

  private static final Pattern CASCADE =
      Pattern.compile(
          "CONSTRAINT `((?:[^`]|``)+)` FOREIGN KEY .* ON (?:DELETE|UPDATE) (?:CASCADE|SET NULL|SET DEFAULT)");

  private static final String TABLES =
      """
      SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, COALESCE(ENGINE, ''),
        COALESCE(CREATE_TIME, '')
      FROM information_schema.TABLES
      WHERE TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED')
      """;
  private static final String COLUMNS =
      """
      SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, IS_NULLABLE,
        COALESCE(NUMERIC_PRECISION, 0), COALESCE(NUMERIC_SCALE, DATETIME_PRECISION, 0),
        COALESCE(CHARACTER_OCTET_LENGTH, 0), COALESCE(CHARACTER_SET_NAME, ''), EXTRA, PRIVILEGES
      FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = ? ORDER BY TABLE_NAME, ORDINAL_POSITION
      """;
  private static final String KEYS =
      """
      SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.STATISTICS
      WHERE TABLE_SCHEMA = ? AND INDEX_NAME = 'PRIMARY' ORDER BY TABLE_NAME, SEQ_IN_INDEX
      """;

  private record Relation(
      String schema, String table, String type, String engine, String createTime) {
    String display() {
      return schema + "." + table;
    }
  }

  private record Attribute(
      String table,
      String name,
      String dataType,
      String columnType,
      boolean notNull,
      int precision,
      int scale,
      long octets,
      String charset,
      String extra,
      String privileges) {
    boolean unsigned() {
      return columnType.contains(" unsigned");
    }

    String streamType() {
      return StreamType.ofCatalog(dataType, unsigned(), precision, scale, octets);
    }
  }

  /** What the catalog says of the tables of one schema, by table. */
  private record Catalog(Map<String, List<Attribute>> columns, Map<String, List<String>> keys) {}

  private final MariaDbSession session;
  private final SourceConfig config;
  private final Set<String> charsets;
  private final Map<String, String> cascades;
  private final TableChecks checks;

  private MariaDbDiscovery(MariaDbSession session, Map<String, String> cascades) {
    this.session = session;
    this.cascades = cascades;
    this.config = session.config();
    this.checks = new TableChecks(config);
    this.charsets = Set.copyOf(Charsets.names(session));
  }

  /**
   * Looks into the catalog.
   *
   * @param cascades what earlier calls found out about foreign keys; this one adds to it
   */
  static Discovery discover(MariaDbSession session, Map<String, String> cascades) {
    MariaDbDiscovery discovery = new MariaDbDiscovery(session, cascades);
    TablePatterns patterns = session.config().patterns();
    Map<String, List<Relation>> bySchema =
        session.list("list the tables", TABLES, MariaDbDiscovery::relation).stream()
            .filter(r -> !SYSTEM.contains(r.schema()))
            .filter(r -> patterns.match(r.schema(), r.table()))
            .collect(Collectors.groupingBy(Relation::schema));
    if (bySchema.isEmpty()) {
      throw discovery.nothing();
    }
    bySchema.forEach(discovery::add);
    return discovery.checks.discovery();
  }

  private LakestreamException nothing() {
    return new LakestreamException(
        ErrorCode.UNKNOWN_TABLE,
        "Cannot capture source %s: no table that user %s may read matches %s%s. Check sources.%s.tables; names match letter by letter, for example %s.*, and a table without any right does not show: run GRANT SELECT ON %s.* TO %s;",
        config.name(),
        config.user(),
        config.include(),
        config.exclude().isEmpty() ? "" : " without " + config.exclude(),
        config.name(),
        config.database(),
        MariaDbSql.quote(config.database()),
        MariaDbSql.literal(config.user()));
  }

  private static Relation relation(ResultSet row) throws SQLException {
    return new Relation(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        row.getString(4).toUpperCase(Locale.ROOT),
        row.getString(5));
  }

  private static Attribute attribute(ResultSet row) throws SQLException {
    return new Attribute(
        row.getString(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5).equals("NO"),
        row.getInt(6),
        row.getInt(7),
        row.getLong(8),
        row.getString(9),
        row.getString(10),
        row.getString(11));
  }

  private void add(String schema, List<Relation> relations) {
    Catalog catalog =
        new Catalog(
            session.list("list the columns", COLUMNS, MariaDbDiscovery::attribute, schema).stream()
                .collect(Collectors.groupingBy(Attribute::table)),
            keys(schema));
    for (Relation relation : relations) {
      List<Attribute> columns = catalog.columns().getOrDefault(relation.table(), List.of());
      List<String> key = catalog.keys().getOrDefault(relation.table(), List.of());
      checks.add(
          schema,
          relation.table(),
          table -> {
            checkRelation(table, relation, columns, key);
            checkColumns(table, relation, columns);
            checkKey(table, columns, key);
            return table(relation, columns, key);
          });
    }
  }

  private Map<String, List<String>> keys(String schema) {
    return session
        .list("list the keys", KEYS, row -> Map.entry(row.getString(1), row.getString(2)), schema)
        .stream()
        .collect(
            Collectors.groupingBy(
                Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
  }

  private void checkRelation(
      TableChecks.Table t, Relation r, List<Attribute> columns, List<String> key) {
    boolean readable =
        !columns.isEmpty() && columns.stream().allMatch(c -> c.privileges().contains("select"));
    if (!readable) {
      throw t.unreadable(
          "user %s may not read it".formatted(config.user()),
          "Run GRANT SELECT ON %s TO %s;"
              .formatted(
                  MariaDbSql.name(r.schema(), r.table()), MariaDbSql.literal(config.user())));
    }
    t.refuseIf(
        r.type().equals("SYSTEM VERSIONED"),
        "it is system-versioned, and its changes also carry its history");
    t.refuseIf(
        !ENGINES.contains(r.engine()),
        "its engine is %s, whose changes are not all in the binlog".formatted(r.engine()));
    if (key.isEmpty()) {
      throw t.refused(
          ErrorCode.MISSING_PRIMARY_KEY,
          "it has no primary key",
          "Add one in the source (ALTER TABLE %s ADD PRIMARY KEY (<columns>);),"
              .formatted(MariaDbSql.name(r.schema(), r.table())));
    }
    String cascade = cascade(r);
    t.refuseIf(
        !cascade.isEmpty(),
        "its foreign key %s changes rows by CASCADE or SET NULL, which MariaDB does not write into the binlog"
            .formatted(cascade));
  }

  // The catalog's own tables of foreign keys show nothing to an account that may only read.
  private String cascade(Relation r) {
    String version = r.display() + " " + r.createTime();
    String known = cascades.get(version);
    if (known == null) {
      String definition =
          session.one(
              "read the definition of " + r.display(),
              "SHOW CREATE TABLE " + MariaDbSql.name(r.schema(), r.table()),
              row -> row.getString(2));
      Matcher matcher = CASCADE.matcher(definition);
      known = matcher.find() ? matcher.group(1) : "";
      cascades.put(version, known);
    }
    return known;
  }

  private void checkColumns(TableChecks.Table t, Relation r, List<Attribute> columns) {
    Set<String> lowerCase = new HashSet<>();
    for (Attribute column : columns) {
      t.refuseIf(
          column.extra().toUpperCase(Locale.ROOT).contains("VIRTUAL GENERATED"),
          "column %s is generated and virtual, and MariaDB does not keep its values"
              .formatted(column.name()));
      t.refuseIf(
          !lowerCase.add(column.name().toLowerCase(Locale.ROOT)),
          "two columns are called %s but for upper and lower case".formatted(column.name()));
      t.refuseIf(
          column.columnType().contains("mariadb-5.3"),
          "column %s is in the format of MariaDB 5.3".formatted(column.name()),
          "Run ALTER TABLE %s FORCE;".formatted(MariaDbSql.name(r.schema(), r.table())));
      t.refuseIf(
          column.columnType().toUpperCase(Locale.ROOT).contains("COMPRESSED"),
          "column %s is compressed, which is not read yet".formatted(column.name()));
      t.refuseIf(
          !column.charset().isEmpty() && !charsets.contains(column.charset()),
          "column %s has character set %s, which is not captured"
              .formatted(column.name(), column.charset()),
          "Convert it to utf8mb4,");
      if (MariaDbTypes.find(
              column.dataType(), column.unsigned(), column.precision(), column.scale())
          .isEmpty()) {
        throw t.refused(
            ErrorCode.UNSUPPORTED_COLUMN_TYPE,
            "column %s has type %s, which has no exact home"
                .formatted(column.name(), column.columnType()),
            "Change the column,");
      }
    }
  }

  private static void checkKey(TableChecks.Table t, List<Attribute> columns, List<String> key) {
    for (Attribute column : columns) {
      boolean inexact = column.dataType().equals("float") || column.dataType().equals("double");
      t.refuseIf(
          inexact && key.contains(column.name()),
          "key column %s is a %s, and two of those may be equal and differ"
              .formatted(column.name(), column.dataType()));
    }
  }

  // The order of the columns and the labels of an enum are no part of the fingerprint: the log
  // names both with every change.
  private SourceTable table(Relation r, List<Attribute> attributes, List<String> key) {
    List<Column> columns = new ArrayList<>();
    List<SourceColumn> sourceColumns = new ArrayList<>();
    List<String> shape = new ArrayList<>();
    for (Attribute attribute : attributes) {
      var type =
          MariaDbTypes.find(
                  attribute.dataType(),
                  attribute.unsigned(),
                  attribute.precision(),
                  attribute.scale())
              .orElseThrow();
      columns.add(new Column(attribute.name(), type, attribute.columnType(), attribute.notNull()));
      sourceColumns.add(new SourceColumn(attribute.streamType(), attribute.columnType()));
      shape.add(attribute.name() + " " + attribute.streamType() + " " + attribute.charset());
    }
    shape.sort(Comparator.naturalOrder());
    TableDefinition definition =
        new TableDefinition(
            new TableName(config.name(), r.schema(), r.table()), columns, key, config.buckets());
    return new SourceTable(definition, sourceColumns, shape + " key " + key);
  }
}
