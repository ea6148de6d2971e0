package io.lakestream.cdc.postgres;

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
        coalesce(array_to_string(i.indkey::int2[], ','), ''),
        has_schema_privilege(n.oid, 'USAGE') and has_table_privilege(c.oid, 'SELECT'),
        row_security_active(c.oid),
        exists (select from pg_inherits h where h.inhparent = c.oid)
      from pg_class c
      join pg_namespace n on n.oid = c.relnamespace
      left join pg_index i on i.indrelid = c.oid and i.indisprimary
      where c.relkind in ('r', 'p') and not c.relispartition
        and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
      order by n.nspname, c.relname
      """;

  private static final String COLUMNS =
      """
      select a.attrelid::bigint, a.attnum, a.attname, a.attnotnull, a.attgenerated::text,
        format_type(a.atttypid, a.atttypmod), b.oid::bigint,
        case when b.typnamespace = 'pg_catalog'::regnamespace or b.typtype = 'e'
          then b.typname else b.typnamespace::regnamespace::text || '.' || b.typname end,
        b.typtype::text, d.typmod
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
      List<Integer> key,
      boolean readable,
      boolean rowSecurity,
      boolean hasChildren) {
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
      int typeModifier) {
    private static final int HEADER = 4;
    private static final int SIGN = 0x400;

    // numeric(p, s) is kept as ((p << 16) | (s & 0x7ff)) + 4.
    int precision() {
      return typeModifier < HEADER ? 0 : ((typeModifier - HEADER) >> 16) & 0xffff;
    }

    int scale() {
      return typeModifier < HEADER ? 0 : (((typeModifier - HEADER) & 0x7ff) ^ SIGN) - SIGN;
    }

    String streamType() {
      return baseType == PostgresOids.NUMERIC && declaredType.startsWith("numeric")
          ? PostgresOids.numeric(precision(), scale())
          : String.valueOf(baseType);
    }

    Optional<ColumnType> type() {
      return PostgresTypes.find(typeName, typeKind, precision(), scale());
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
    String key = row.getString(9);
    return new Relation(
        row.getLong(1),
        row.getString(2),
        row.getString(3),
        row.getString(4),
        row.getString(5),
        row.getString(6),
        row.getBoolean(7),
        row.getBoolean(8),
        key.isEmpty()
            ? List.of()
            : java.util.Arrays.stream(key.split(",", -1)).map(Integer::valueOf).toList(),
        row.getBoolean(10),
        row.getBoolean(11),
        row.getBoolean(12));
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
        row.getInt(10));
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
          "Cannot capture table %s: it has no primary key. Add one in the source, or %s.",
          r.display(),
          exclude(r));
    }
    refuseIf(!r.keyIsImmediate(), r, "its primary key is deferrable, so changes do not carry it");
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
      refuseIf(
          column.generated(),
          r,
          "column %s is generated, and PostgreSQL does not replicate it".formatted(column.name()));
      refuseIf(
          !lowerCase.add(column.name().toLowerCase(Locale.ROOT)),
          r,
          "two columns are called %s but for upper and lower case".formatted(column.name()));
      if (column.type().isEmpty()) {
        throw new LakestreamException(
            ErrorCode.UNSUPPORTED_COLUMN_TYPE,
            "Cannot capture table %s: column %s has type %s, which has no exact home%s. Change the column, or %s.",
            r.display(),
            column.name(),
            column.declaredType(),
            column.typeName().equals("numeric") && column.precision() == 0
                ? " (declare numeric(p, s) with at most 38 digits)"
                : "",
            exclude(r));
      }
    }
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
        .formatted(config.name(), pattern(r.schema()) + "." + pattern(r.table()));
  }

  private static String pattern(String part) {
    return part.matches("[A-Za-z0-9_]+") ? part : PostgresSql.quote(part);
  }

  private SourceTable table(Relation r, List<Attribute> attributes) {
    List<Column> columns = new ArrayList<>();
    List<SourceColumn> sourceColumns = new ArrayList<>();
    StringBuilder fingerprint = new StringBuilder().append(r.oid());
    for (Attribute attribute : attributes) {
      ColumnType type = attribute.type().orElseThrow();
      columns.add(
          new Column(attribute.name(), type, attribute.declaredType(), attribute.notNull()));
      sourceColumns.add(new SourceColumn(attribute.streamType(), attribute.declaredType()));
      fingerprint
          .append(',')
          .append(attribute.number())
          .append(' ')
          .append(attribute.name())
          .append(' ')
          .append(type);
    }
    fingerprint.append(" key ").append(r.key());
    TableDefinition definition =
        new TableDefinition(
            new TableName(config.name(), r.schema(), r.table()),
            columns,
            r.key().stream().map(number -> name(attributes, number)).toList(),
            config.buckets());
    definition.name().toFluss(); // a name that Fluss cannot spell is refused here
    return new SourceTable(definition, sourceColumns, fingerprint.toString());
  }

  private static String name(List<Attribute> attributes, int number) {
    return attributes.stream()
        .filter(a -> a.number() == number)
        .map(Attribute::name)
        .findFirst()
        .orElseThrow();
  }
}
