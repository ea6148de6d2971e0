package io.lakestream.cdc.postgres;

import io.lakestream.cdc.source.ColumnOverride;
import io.lakestream.cdc.source.Discovery;
import io.lakestream.cdc.source.Refusal;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.SourceTable.SourceColumn;
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
import java.util.Comparator;
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
  private final List<SourceTable> tables = new ArrayList<>();
  private final List<Refusal> refusals = new ArrayList<>();

  private PostgresDiscovery(SourceConfig config, Map<Long, List<Attribute>> attributes) {
    this.config = config;
    this.attributes = attributes;
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
    discovery.tables.sort(Comparator.comparing(t -> t.definition().name()));
    return new Discovery(discovery.tables, discovery.refusals);
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
    try {
      checkRelation(relation);
      List<Attribute> columns = attributes.getOrDefault(relation.oid(), List.of());
      checkColumns(relation, columns);
      tables.add(table(relation, columns));
    } catch (LakestreamException e) {
      refusals.add(new Refusal(relation.schema(), relation.table(), e.code(), e.getMessage()));
    }
  }

  private void checkRelation(Relation r) {
    if (!r.readable()) {
      throw new LakestreamException(
          ErrorCode.SOURCE_REFUSED,
          "Cannot capture table %s: role %s may not read it. Run GRANT USAGE ON SCHEMA %s TO %s; GRANT SELECT ON %s TO %s;",
          r.display(),
          config.user(),
          PostgresSql.quote(r.schema()),
          PostgresSql.quote(config.user()),
          PostgresSql.quote(r.schema()) + "." + PostgresSql.quote(r.table()),
          PostgresSql.quote(config.user()));
    }
    refuseIf(r.kind().equals("p"), r, "it is partitioned, which is not captured yet");
    refuseIf(!r.persistence().equals("p"), r, "it is not logged, so its changes leave no trace");
    refuseIf(
        r.rowSecurity(),
        r,
        "row-level security hides rows from role %s. Run ALTER ROLE %s BYPASSRLS; or"
            .formatted(config.user(), PostgresSql.quote(config.user())));
    refuseIf(r.hasChildren(), r, "other tables inherit from it, and their rows show in it");
    if (r.key().isEmpty()) {
      throw new LakestreamException(
          ErrorCode.MISSING_PRIMARY_KEY,
          "Cannot capture table %s: it has no primary key. Add one in the source, or name a unique index over columns that are NOT NULL with ALTER TABLE %s.%s REPLICA IDENTITY USING INDEX <index>; or %s.",
          r.display(),
          PostgresSql.quote(r.schema()),
          PostgresSql.quote(r.table()),
          exclude(r));
    }
    refuseIf(!r.keyIsImmediate(), r, "its key is deferrable, so changes do not carry it");
    boolean carriesKey =
        r.identity().equals("d")
            || r.identity().equals("f")
            || (r.identity().equals("i") && r.keyIsIdentity());
    refuseIf(
        !carriesKey,
        r,
        "its changes do not carry the primary key. Run ALTER TABLE %s.%s REPLICA IDENTITY DEFAULT; or"
            .formatted(PostgresSql.quote(r.schema()), PostgresSql.quote(r.table())));
  }

  private void checkColumns(Relation r, List<Attribute> columns) {
    Set<String> lowerCase = new HashSet<>();
    for (Attribute column : columns) {
      Optional<ColumnOverride> override = config.overrides().find(r.display(), column.name());
      refuseIf(
          override.filter(ColumnOverride::isSkip).isPresent() && r.key().contains(column.number()),
          r,
          "column %s is part of the key and cannot be left out".formatted(column.name()));
      if (override.filter(ColumnOverride::isSkip).isEmpty()) {
        refuseIf(
            !lowerCase.add(column.name().toLowerCase(Locale.ROOT)),
            r,
            "two columns are called %s but for upper and lower case".formatted(column.name()));
        checkColumn(r, column, override.flatMap(ColumnOverride::home));
      }
    }
  }

  private void checkColumn(Relation r, Attribute column, Optional<ColumnType> chosen) {
    refuseIf(
        column.generated(),
        r,
        "column %s is generated, and PostgreSQL does not replicate it. To capture the table without this column, set %s.type: skip; or"
            .formatted(column.name(), setting(r, column)));
    boolean isFloat =
        column.baseType() == PostgresOids.FLOAT4 || column.baseType() == PostgresOids.FLOAT8;
    refuseIf(
        isFloat && r.key().contains(column.number()),
        r,
        "key column %s has type %s, and equal floating-point numbers may differ in their bits (0 and -0). Make the key of another type in the source, for example numeric; or"
            .formatted(column.name(), column.declaredType()));
    refuseIf(
        column.name().matches("(?s)[\"'`].*"),
        r,
        "the name of column %s begins with a quote".formatted(column.name()));
    boolean toDecimal = chosen.isPresent() && chosen.get().kind() == ColumnType.Kind.DECIMAL;
    if (toDecimal && column.baseType() != PostgresOids.NUMERIC) {
      throw new LakestreamException(
          ErrorCode.UNSUPPORTED_COLUMN_TYPE,
          "Cannot capture table %s: column %s has type %s, and only a numeric can be captured as %s. Set %s.type to text or skip, or remove it.",
          r.display(),
          column.name(),
          column.declaredType(),
          chosen.get(),
          setting(r, column));
    }
  }

  private String setting(Relation r, Attribute column) {
    return "sources.%s.table-settings.'%s'.columns.'%s'"
        .formatted(config.name(), r.display(), column.name());
  }

  private void refuseIf(boolean condition, Relation r, String reason) {
    if (condition) {
      throw new LakestreamException(
          ErrorCode.SOURCE_REFUSED,
          "Cannot capture table %s: %s%s %s.",
          r.display(),
          reason,
          reason.endsWith(" or") ? "" : ". To go on without it,",
          exclude(r));
    }
  }

  private String exclude(Relation r) {
    return "exclude the table (sources.%s.exclude: ['%s'])"
        .formatted(
            config.name(),
            TablePatterns.exactly(r.schema()) + "." + TablePatterns.exactly(r.table()));
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
    definition.name().toFluss(); // a name that Fluss cannot spell is refused here
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
