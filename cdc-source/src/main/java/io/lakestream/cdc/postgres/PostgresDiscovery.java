package io.lakestream.cdc.postgres;

import io.lakestream.cdc.source.ColumnOverride;
import io.lakestream.cdc.source.Discovery;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.SourceTable.SourceColumn;
import io.lakestream.cdc.source.TableChecks;
import io.lakestream.cdc.source.TablePatterns;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.PostgresTypes;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads from pg_catalog what the configured patterns match: definitions of the tables that can be
 * captured exactly, and the reason for each that cannot. One table's refusal never holds up
 * another.
 */
final class PostgresDiscovery {
  private static final String RELATIONS =
      """
      select c.oid::bigint, n.nspname, c.relname, c.relkind::text, c.relpersistence::text,
        c.relreplident::text, coalesce(i.indisreplident, false), coalesce(i.indimmediate, true),
        coalesce(i.indisprimary, false),
        coalesce(array_to_string((i.indkey::int2[])[0:i.indnkeyatts - 1], ','), ''),
        has_schema_privilege(n.oid, 'USAGE') and has_table_privilege(c.oid, 'SELECT'),
        row_security_active(c.oid),
        exists (select from pg_inherits h where h.inhparent = c.oid),
        coalesce(pg_relation_filenode(c.oid), 0)::text, c.relnatts
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      left join lateral (
        select * from pg_index where indrelid = c.oid
          and (indisprimary or (indisreplident and c.relreplident = 'i'))
        order by indisprimary desc limit 1) i on true
      where c.relkind in ('r', 'p') and not c.relispartition
        and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
      order by n.nspname, c.relname
      """;

  private static final String COLUMNS =
      """
      select a.attrelid::bigint, a.attnum, a.attname, a.attnotnull, a.attgenerated::text,
        format_type(a.atttypid, a.atttypmod), b.oid::bigint,
        case when b.typnamespace = 'pg_catalog'::regnamespace
          then b.typname else b.typnamespace::regnamespace::text || '.' || b.typname end,
        b.typtype::text, d.typmod,
        not (a.attnotnull or a.atthasdef or a.atthasmissing or a.attidentity <> '')
      from pg_attribute a
      cross join lateral (
        with recursive resolved(oid, typmod) as (
          select a.atttypid, a.atttypmod
          union all
          select t.typbasetype, t.typtypmod
          from resolved r join pg_type t on t.oid = r.oid where t.typtype = 'd')
        select * from resolved) d
      join pg_type b on b.oid = d.oid and b.typtype <> 'd'
      where a.attrelid = any (string_to_array(?, ',')::oid[]) and a.attnum > 0
        and not a.attisdropped
      order by a.attrelid, a.attnum
      """;

  private record Relation(
      long oid,
      String schema,
      String table,
      String kind,
      String persistence,
      String identity,
      boolean keyIsIdentity,
      boolean keyIsImmediate,
      boolean keyIsPrimary,
      List<Integer> key,
      boolean readable,
      boolean rowSecurity,
      boolean hasChildren,
      String fileNode,
      int columnsEver) {
    String display() {
      return schema + "." + table;
    }

    String quoted() {
      return PostgresSql.quote(schema) + "." + PostgresSql.quote(table);
    }
  }

  private record Attribute(
      long relation,
      int number,
      String name,
      boolean notNull,
      boolean generated,
      String declaredType,
      int baseType,
      String typeName,
      char typeKind,
      int typeModifier,
      boolean startsNull) {
    private static final int HEADER = 4;
    private static final int SIGN = 0x400;

    // numeric(p, s) is kept as ((p << 16) | (s & 0x7ff)) + 4.
    int precision() {
      return typeModifier < HEADER ? 0 : ((typeModifier - HEADER) >> 16) & 0xffff;
    }

    int scale() {
      return typeModifier < HEADER ? 0 : (((typeModifier - HEADER) & 0x7ff) ^ SIGN) - SIGN;
    }

    // As StreamConnections gives the types to Debezium; of a domain it does not tell the digits.
    String streamType() {
      boolean hasDigits = baseType == PostgresOids.NUMERIC && declaredType.startsWith("numeric(");
      return hasDigits
          ? PostgresOids.numeric(precision(), scale())
          : String.valueOf(PostgresOids.root(baseType));
    }

    ColumnType type() {
      return PostgresTypes.find(typeName, typeKind, precision(), scale());
    }

    /** Changes with the type wherever values may change with it. */
    String typeMark() {
      return PostgresOids.isPlainText(baseType) ? "text" : baseType + "/" + typeModifier;
    }
  }

  private final SourceConfig config;
  private final Map<Long, List<Attribute>> attributes;
  private final TableChecks checks;

  private PostgresDiscovery(SourceConfig config, Map<Long, List<Attribute>> attributes) {
    this.config = config;
    this.attributes = attributes;
    this.checks = new TableChecks(config);
  }

  static Discovery discover(PostgresConnection source) {
    SourceConfig config = source.config();
    TablePatterns patterns = config.patterns();
    List<Relation> relations =
        source.list("list the tables", RELATIONS, PostgresDiscovery::relation).stream()
            .filter(r -> patterns.match(r.schema(), r.table()))
            .toList();
    if (relations.isEmpty()) {
      throw new LakestreamException(
          ErrorCode.UNKNOWN_TABLE,
          "Cannot capture source %s: no table of database %s matches %s%s. Check sources.%s.tables; names match letter by letter, for example public.*",
          config.name(),
          config.database(),
          config.include(),
          config.exclude().isEmpty() ? "" : " without " + config.exclude(),
          config.name());
    }
    String oids =
        relations.stream().map(r -> String.valueOf(r.oid())).collect(Collectors.joining(","));
    Map<Long, List<Attribute>> attributes =
        source.list("list the columns", COLUMNS, PostgresDiscovery::attribute, oids).stream()
            .collect(Collectors.groupingBy(Attribute::relation));
    PostgresDiscovery discovery = new PostgresDiscovery(config, attributes);
    relations.forEach(discovery::add);
    return discovery.checks.discovery();
  }

  private static Relation relation(ResultSet row) throws SQLException {
    String key = row.getString(10);
    return new Relation(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getBoolean(7),
        row.getBoolean(8),
        row.getBoolean(9),
        key.isEmpty()
            ? List.of()
            : java.util.Arrays.stream(key.split(",", -1)).map(Integer::valueOf).toList(),
        row.getBoolean(11),
        row.getBoolean(12),
        row.getBoolean(13),
        row.getString(14),
        row.getInt(15));
  }

  private static Attribute attribute(ResultSet row) throws SQLException {
    return new Attribute(
        row.getLong(1),
        row.getInt(2),
        row.getString(3),
        row.getBoolean(4),
        !row.getString(5).isEmpty(),
        row.getString(6),
        (int) row.getLong(7),
        row.getString(8),
        row.getString(9).charAt(0),
        row.getInt(10),
        row.getBoolean(11));
  }

  private void add(Relation relation) {
    checks.add(
        relation.schema(),
        relation.table(),
        table -> {
          checkRelation(table, relation);
          List<Attribute> columns = attributes.getOrDefault(relation.oid(), List.of());
          checkColumns(table, relation, columns);
          return table(relation, columns);
        });
  }

  private void checkRelation(TableChecks.Table t, Relation r) {
    if (!r.readable()) {
      throw t.unreadable(
          "role %s may not read it".formatted(config.user()),
          "Run GRANT USAGE ON SCHEMA %s TO %s; GRANT SELECT ON %s TO %s;"
              .formatted(
                  PostgresSql.quote(r.schema()),
                  PostgresSql.quote(config.user()),
                  r.quoted(),
                  PostgresSql.quote(config.user())));
    }
    t.refuseIf(r.kind().equals("p"), "it is partitioned, which is not captured yet");
    t.refuseIf(!r.persistence().equals("p"), "it is not logged, so its changes leave no trace");
    t.refuseIf(
        r.rowSecurity(),
        "row-level security hides rows from role %s".formatted(config.user()),
        "Run ALTER ROLE %s BYPASSRLS;".formatted(PostgresSql.quote(config.user())));
    t.refuseIf(r.hasChildren(), "other tables inherit from it, and their rows show in it");
    if (r.key().isEmpty()) {
      throw t.refused(
          ErrorCode.MISSING_PRIMARY_KEY,
          "it has no primary key",
          "Add one in the source (ALTER TABLE %s ADD PRIMARY KEY (<columns>);), or name a unique index over columns that are NOT NULL with ALTER TABLE %s REPLICA IDENTITY USING INDEX <index>;"
              .formatted(r.quoted(), r.quoted()));
    }
    t.refuseIf(!r.keyIsImmediate(), "its key is deferrable, so changes do not carry it");
    boolean carriesKey =
        r.identity().equals("d")
            || r.identity().equals("f")
            || (r.identity().equals("i") && r.keyIsIdentity());
    t.refuseIf(
        !carriesKey,
        "its changes do not carry the primary key",
        "Run ALTER TABLE %s REPLICA IDENTITY DEFAULT;".formatted(r.quoted()));
  }

  private void checkColumns(TableChecks.Table t, Relation r, List<Attribute> columns) {
    Set<String> lowerCase = new HashSet<>();
    for (Attribute column : columns) {
      Optional<ColumnOverride> override = config.overrides().find(r.display(), column.name());
      t.refuseIf(
          override.filter(ColumnOverride::isSkip).isPresent() && r.key().contains(column.number()),
          "column %s is part of the key and cannot be left out".formatted(column.name()));
      if (override.filter(ColumnOverride::isSkip).isEmpty()) {
        t.refuseIf(
            !lowerCase.add(column.name().toLowerCase(Locale.ROOT)),
            "two columns are called %s but for upper and lower case".formatted(column.name()));
        checkColumn(t, r, column, override.flatMap(ColumnOverride::home));
      }
    }
  }

  private void checkColumn(
      TableChecks.Table t, Relation r, Attribute column, Optional<ColumnType> chosen) {
    t.refuseIf(
        column.generated(),
        "column %s is generated, and PostgreSQL does not replicate it".formatted(column.name()),
        "To capture the table without this column, set %s.type: skip;"
            .formatted(setting(r, column)));
    boolean isFloat =
        column.baseType() == PostgresOids.FLOAT4 || column.baseType() == PostgresOids.FLOAT8;
    t.refuseIf(
        isFloat && r.key().contains(column.number()),
        "key column %s has type %s, and equal floating-point numbers may differ in their bits (0 and -0)"
            .formatted(column.name(), column.declaredType()),
        "Make the key of another type in the source, for example numeric;");
    t.refuseIf(
        column.name().matches("(?s)[\"'`].*"),
        "the name of column %s begins with a quote".formatted(column.name()));
    boolean toDecimal = chosen.isPresent() && chosen.get().kind() == ColumnType.Kind.DECIMAL;
    if (toDecimal && column.baseType() != PostgresOids.NUMERIC) {
      throw t.refused(
          ErrorCode.UNSUPPORTED_COLUMN_TYPE,
          "column %s has type %s, and only a numeric can be captured as %s"
              .formatted(column.name(), column.declaredType(), chosen.get()),
          "Set %s.type to text or skip, or remove it;".formatted(setting(r, column)));
    }
  }

  private String setting(Relation r, Attribute column) {
    return "sources.%s.table-settings.'%s'.columns.'%s'"
        .formatted(config.name(), r.display(), column.name());
  }

  private SourceTable table(Relation r, List<Attribute> attributes) {
    List<Column> columns = new ArrayList<>();
    List<SourceColumn> sourceColumns = new ArrayList<>();
    StringBuilder fingerprint = new StringBuilder().append(r.oid());
    for (Attribute attribute : attributes) {
      Optional<ColumnOverride> override = config.overrides().find(r.display(), attribute.name());
      if (override.filter(ColumnOverride::isSkip).isPresent()) {
        continue;
      }
      ColumnType type = override.flatMap(ColumnOverride::home).orElseGet(attribute::type);
      columns.add(
          new Column(attribute.name(), type, attribute.declaredType(), attribute.notNull()));
      sourceColumns.add(new SourceColumn(attribute.streamType(), attribute.declaredType()));
      fingerprint
          .append(',')
          .append(attribute.number())
          .append(' ')
          .append(attribute.name())
          .append(' ')
          .append(type)
          .append(' ')
          .append(attribute.typeMark());
    }
    Set<String> startNull =
        attributes.stream()
            .filter(Attribute::startsNull)
            .map(Attribute::name)
            .collect(Collectors.toSet());
    var storage =
        new SourceTable.Storage(r.fileNode(), r.columnsEver(), fingerprint.toString(), startNull);
    fingerprint.append(" key ").append(r.key());
    TableDefinition definition =
        new TableDefinition(
            new TableName(config.name(), r.schema(), r.table()),
            columns,
            r.key().stream().map(number -> name(attributes, number)).toList(),
            config.buckets());
    return new SourceTable(
        definition, sourceColumns, r.keyIsPrimary(), fingerprint.toString(), storage);
  }

  private static String name(List<Attribute> attributes, int number) {
    return attributes.stream()
        .filter(a -> a.number() == number)
        .map(Attribute::name)
        .findFirst()
        .orElseThrow();
  }
}
