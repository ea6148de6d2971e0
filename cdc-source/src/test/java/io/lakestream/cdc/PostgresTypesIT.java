package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.schema.PostgresTypes;
import io.lakestream.tables.system.StateBoard.TableState;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Every type of PostgreSQL, in the copy and in the stream, against the text that the source prints;
 * with a server, a role and a JVM whose settings are all of the wrong kind.
 */
@ExtendWith(SharedFluss.class)
class PostgresTypesIT {
  @RegisterExtension
  static final TestSource SOURCE =
      TestSource.logical().with("timezone", "Asia/Kolkata").with("intervalstyle", "iso_8601");

  private static final TimeZone ZONE = TimeZone.getDefault();

  private static final List<String> TYPES =
      List.of(
          "create schema other",
          "create type nothing as enum ()",
          "create domain nothing_at_all as nothing",
          "create type mood as enum ('sad', 'it''s ok', 'happy, \"very\"')",
          "create type other.mood as enum ('good', 'bad')",
          "create type int4 as enum ('one', 'two')",
          "create type \"Odd.Type\" as enum ('a b', 'c')",
          "create domain price as numeric(12, 2)",
          "create domain any_number as numeric",
          "create domain vip_mood as mood",
          "create domain long_price as price check (value > -1)",
          "create domain codes as int[]",
          "create type pair as (a int, b text, t timestamptz)",
          "create type nest as (p pair, l pair[], d date)",
          "create type float_range as range (subtype = float8)",
          "create extension if not exists hstore",
          "create extension if not exists citext");

  /** Values of one column, cycled through the rows. */
  private record Typed(String type, List<String> values) {}

  private static Typed of(String type, String... values) {
    return new Typed(type, List.of(values));
  }

  private static final Map<String, List<Typed>> FAMILIES = families();

  private static Map<String, List<Typed>> families() {
    Map<String, List<Typed>> families = new LinkedHashMap<>();
    families.put(
        "numbers",
        List.of(
            of("boolean default true", "'t'", "'f'"),
            of("smallint default 7", "-32768", "32767", "0"),
            of(
                "integer default nextval('pg_catalog.int_seq')".replace("pg_catalog.", ""),
                "-2147483648",
                "2147483647"),
            of("bigint", "-9223372036854775808", "9223372036854775807"),
            of(
                "real default 'NaN'",
                "'NaN'",
                "'-Infinity'",
                "'-0'",
                "1.1",
                "3.4028235e38",
                "1e-45"),
            of("double precision", "'NaN'", "'Infinity'", "'-0'", "0.1", "1e-300", "5e-324"),
            of("numeric(10,2) default 1.5", "-99999999.99", "0", "0.01"),
            of("numeric(38,0)", "99999999999999999999999999999999999999", "-1"),
            of("numeric(38,38)", "0.00000000000000000000000000000000000001", "-0.5"),
            of(
                "numeric default 'NaN'",
                "'NaN'",
                "'Infinity'",
                "'-Infinity'",
                "1.500",
                "1e-30",
                "1e400",
                "-0.0"),
            of("numeric(50,10)", "1234567890123456789012345678901234567890.0000000001", "'NaN'"),
            of("numeric(5,-3)", "12345678", "499", "'NaN'"),
            of("numeric(2,4)", "0.0012", "-0.0099"),
            of("price", "9999999999.99", "-0.01"),
            of("long_price", "7.10", "0"),
            of("any_number", "1.10", "'NaN'")));
    families.put(
        "times",
        List.of(
            of(
                "date default '2024-02-29'",
                "'4714-11-24 BC'",
                "'5874897-12-31'",
                "'1582-10-10'",
                "'1500-03-01'",
                "'0001-01-01'",
                "'0044-03-15 BC'",
                "'12000-01-01'"),
            of(
                "timestamp default now()",
                "'4714-11-24 00:00:00 BC'",
                "'294247-01-09 04:00:54.775807'",
                "'1969-12-31 23:59:59.999999'",
                "'0044-03-15 12:00:00.5 BC'",
                "'1500-03-01 00:00'"),
            of(
                "timestamptz default '2020-01-01 UTC'",
                "'4714-11-24 00:00:00+00 BC'",
                "'294247-01-09 23:59:59.999999+14'",
                "'2024-03-31 02:30:00.123456+01'",
                "'1883-11-18 12:03:57-04:56:02'",
                "'0001-12-31 23:59:59.999999-12 BC'"),
            of("timestamp(3)", "'2024-01-01 00:00:00.1239'", "'1970-01-01'"),
            of("timestamptz(0)", "'2024-01-01 00:00:00.9+00'", "'1970-01-01 UTC'"),
            of("time default '24:00'", "'24:00:00'", "'00:00:00.000001'", "'23:59:59.999999'"),
            of("time(2)", "'12:34:56.789'"),
            of("timetz", "'24:00:00+00'", "'01:02:03.5+05:30'", "'23:59:59.999999-15:59:59'"),
            of(
                "interval default '1 day'",
                "'1 year 2 mons -3 days +04:05:06.000007'",
                "'-178000000 years'",
                "'838:59:59'",
                "'1 day -24:00:00'",
                "'2562047788:00:54.775807'",
                "'0'"),
            of("interval day to second(2)", "'5 days 1.239 s'"),
            of("interval year to month", "'-1-2'")));
    families.put(
        "texts",
        List.of(
            of("char(5) default 'x'", "' ab '", "''", "'é😀'", "'abcde'"),
            of(
                "varchar(40) default 'it''s'",
                "''",
                "'  x  '",
                "'é😀'",
                "E'tab\\tnew\\nline \"q\" \\\\ '''"),
            of(
                "text",
                "''",
                "'NULL'",
                "repeat('long é😀 ', 3000)",
                "chr(1) || chr(127) || chr(1114111)"),
            of("name", "'Some Name'"),
            of("\"char\"", "'a'", "''", "'\\351'"),
            of(
                "uuid default gen_random_uuid()",
                "'00000000-0000-0000-0000-000000000000'",
                "'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'"),
            of(
                "json default '{}'",
                "'{\"b\" : 1,  \"a\":\"x\\u00e9\", \"b\":2}'",
                "'null'",
                "' [1, 2.50] '",
                "'1e400'"),
            of(
                "jsonb",
                "'{\"b\" : 1,  \"a\":\"x\\u00e9\", \"b\":2}'",
                "'null'",
                "'[1, 2.50]'",
                "'1e400'"),
            of("jsonpath", "'$.a[*] ? (@ > 1.50)'"),
            of("xml", "'<a  b=\"1\">é&amp;</a>'", "'text<b/>'"),
            of("citext", "'MiXed'"),
            of("bytea default '\\x01'", "''", "'\\x00ff10'", "decode(repeat('00ff', 4000), 'hex')"),
            of("tsvector", "'''a b'':1A,3 c:2B'", "''"),
            of("tsquery", "'fat & (rat | !''x y'':*A)'")));
    families.put(
        "special",
        List.of(
            of("bit(1)", "B'0'", "B'1'"),
            of("bit(8)", "B'00000101'", "B'11111111'"),
            of("varbit default B'1'", "B''", "B'000'", "('x' || repeat('f0', 40))::varbit"),
            of(
                "money default 0",
                "'-92233720368547758.08'",
                "'92233720368547758.07'",
                "'0'",
                "'-0.01'"),
            of("inet", "'192.168.1.1'", "'192.168.1.5/24'", "'::1'", "'fe80::1/64'"),
            of("cidr", "'10.0.0.0/8'", "'2001:db8::/32'"),
            of("macaddr", "'08-00-2b-01-02-03'"),
            of("macaddr8", "'08:00:2b:ff:fe:01:02:03'"),
            of("point", "'(1.1,-2)'", "'(NaN,Infinity)'", "'(1e-300,123456789012345680)'"),
            of("line", "'{1,-2.5,3}'"),
            of("lseg", "'[(1,2),(3,4.25)]'"),
            of("box", "'(1,2),(3,4)'"),
            of("path", "'[(1,2),(3,4)]'", "'((1,2),(3,4))'"),
            of("polygon", "'((0,0),(1.5,0),(0,1))'"),
            of("circle", "'<(1,2),3.5>'"),
            of("oid", "4294967295", "0"),
            of("xid", "'4294967295'"),
            of("xid8", "'18446744073709551615'"),
            of("cid", "'4294967295'"),
            of("tid", "'(4294967295,65535)'"),
            of("pg_lsn", "'FFFFFFFF/FFFFFFFF'", "'16/B374D848'"),
            of("pg_snapshot", "'10:20:10,14,15'"),
            of("txid_snapshot", "'10:20:10,14,15'"),
            of("regclass", "'public.numbers'", "'pg_type'", "4000000000"),
            of("regtype", "'int4'", "'public.mood'", "'timestamptz'"),
            of("regproc", "'now'"),
            of("regprocedure", "'abs(numeric)'"),
            of("regoper", "'||/'"),
            of("regoperator", "'*(integer,integer)'"),
            of("regnamespace", "'other'"),
            of("regrole", "'postgres'"),
            of("regconfig", "'english'"),
            of("regdictionary", "'simple'"),
            of("regcollation", "'\"C\"'"),
            of("aclitem", "'postgres=arwd/postgres'"),
            of("refcursor", "'a cursor'"),
            of("int2vector", "'1 -2 3'"),
            of("oidvector", "'1 4294967295'")));
    families.put(
        "arrays",
        List.of(
            of("boolean[]", "'{t,NULL,f}'"),
            of("int[] default '{}'", "'{1,NULL,3}'", "'{}'", "'[0:1]={1,2}'"),
            of("bigint[]", "'{9223372036854775807}'"),
            of("text[]", "'{\"a b\",NULL,\"NULL\",\"\",\"q\\\"\\\\\"}'", "'{{a,b},{c,d}}'"),
            of("varchar(3)[]", "'{abc,\"\"}'"),
            of("char(3)[]", "'{a,\"b c\"}'"),
            of("numeric(10,2)[]", "'{1.1,NaN,NULL}'"),
            of("numeric[]", "'{1.10,Infinity}'"),
            of("float8[]", "'{0.1,NaN,-Infinity,-0}'"),
            of("date[]", "'{infinity,0044-03-15 BC}'"),
            of("timestamp[]", "'{294276-12-31 23:59:59.999999,-infinity}'"),
            of("timestamptz[]", "'{\"2024-03-31 02:30:00.123456+01\",infinity}'"),
            of("interval[]", "'{1 day,\"-1 year +838:59:59\"}'"),
            of("timetz[]", "'{01:02:03+05:30}'"),
            of("bytea[]", "array['\\x00ff'::bytea, '']"),
            of("uuid[]", "'{00000000-0000-0000-0000-000000000000}'"),
            of("json[]", "array['{\"a\" : 1}'::json]"),
            of("money[]", "'{1.50,-2}'"),
            of("bit(3)[]", "'{101,010}'"),
            of("inet[]", "'{192.168.1.1,::1/64}'"),
            of("point[]", "'{\"(1,2)\",\"(1.5,-2)\"}'"),
            of("box[]", "'{(1,2),(3,4);(5,6),(7,8)}'"),
            of("mood[]", "array['sad', 'happy, \"very\"']::mood[]"),
            of("pair[]", "array[row(1, 'a b', null)]::pair[]"),
            of("int4range[]", "'{\"[1,5)\",empty}'")));
    families.put(
        "made",
        List.of(
            of("mood default 'sad'", "'sad'", "'it''s ok'", "'happy, \"very\"'"),
            of("other.mood", "'good'", "'bad'"),
            of("vip_mood", "'sad'"),
            of("codes", "'{1,NULL}'"),
            of(
                "pair",
                "row(1, 'a \"b\", c', '2024-03-31 02:30:00.123456+01')",
                "row(null, '', 'infinity')",
                "row(null, null, null)"),
            of("nest", "row(row(1, 'x', null), array[row(2, 'y', null)]::pair[], '0044-03-15 BC')"),
            of("hstore", "'a=>1, \"b c\"=>NULL'"),
            of("float_range", "'[0.1,Infinity)'", "'empty'"),
            of("int4range default 'empty'", "'(1,5]'", "'empty'", "'(,)'"),
            of("int8range", "'[9223372036854775806,9223372036854775807)'"),
            of("numrange", "'(1.10,NaN]'"),
            of("daterange", "'[0044-03-15 BC,infinity]'"),
            of("tsrange", "'[\"2024-01-01 00:00:00.5\",294276-12-31)'"),
            of("tstzrange", "'[\"2024-03-31 02:30:00.123456+01\",infinity]'"),
            of("int4multirange", "'{[1,3),[7,9)}'", "'{}'"),
            of("tstzmultirange", "'{[\"2024-03-31 02:30:00+01\",\"2024-04-01 00:00:00+00\")}'"),
            of("nummultirange", "'{[1.10,2.00]}'"),
            of("float_multirange", "'{[0.1,0.3)}'")));
    return families;
  }

  private static final List<Typed> ODD_NAMES =
      List.of(
          of("public.int4", "'one'", "'two'"),
          of("\"Odd.Type\"", "'a b'", "'c'"),
          of("integer", "1", "2"));

  private static String create(String table, List<Typed> columns) {
    StringBuilder sql =
        new StringBuilder(
            "create table " + table + " (id bigint generated always as identity primary key");
    for (int i = 0; i < columns.size(); i++) {
      sql.append(", v").append(i).append(' ').append(columns.get(i).type());
    }
    return sql.append(')').toString();
  }

  private static String[] insert(String table, List<Typed> columns) {
    int rows = columns.stream().mapToInt(typed -> typed.values().size()).max().orElseThrow();
    List<String> sql = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      int at = row;
      sql.add(
          columns.stream()
              .map(typed -> typed.values().get(at % typed.values().size()))
              .collect(
                  Collectors.joining(", ", "insert into " + table + " values (default, ", ")")));
    }
    String nulls = columns.stream().map(typed -> "null").collect(Collectors.joining(", "));
    sql.add("insert into " + table + " values (default, " + nulls + ")");
    return sql.toArray(String[]::new);
  }

  // Each column takes the value of the row before, so that every value comes in an update, too.
  private static String update(String table, List<Typed> columns) {
    String assignments =
        java.util.stream.IntStream.range(0, columns.size())
            .mapToObj(i -> "v%1$s = o.v%1$s".formatted(i))
            .collect(Collectors.joining(", "));
    return "update %1$s t set %2$s from %1$s o where o.id = t.id + 1".formatted(table, assignments);
  }

  @BeforeAll
  static void liveInAnotherZone() {
    TimeZone.setDefault(TimeZone.getTimeZone("America/St_Johns"));
  }

  @AfterAll
  static void comeBack() {
    TimeZone.setDefault(ZONE);
  }

  private static void createDatabase(String name) {
    SOURCE.createDatabase(name);
    SOURCE.run(name, TYPES.toArray(String[]::new));
    SOURCE.run(name, "create sequence int_seq");
    SOURCE.run(
        "postgres",
        "alter database " + name + " set DateStyle = 'German'",
        "alter database " + name + " set bytea_output = 'escape'",
        "alter role postgres in database " + name + " set extra_float_digits = -3",
        "alter role postgres in database " + name + " set quote_all_identifiers = on",
        "alter role postgres in database " + name + " set TimeZone = 'America/New_York'");
  }

  @Test
  void everyTypeReadsTheSameAsInTheSourceInTheCopyAndInTheStream() {
    createDatabase("every_type");
    FAMILIES.forEach(
        (table, columns) -> {
          SOURCE.run("every_type", create(table, columns));
          SOURCE.run("every_type", insert(table, columns));
        });
    SOURCE.run("every_type", create("odd_names", ODD_NAMES));
    SourceConfig config = SOURCE.config("every_type", "every_type");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      Cut copied = captured.awaitNow(engine);
      assertThat(engine.status().tables())
          .allSatisfy(t -> assertThat(t.state()).as(t.reason()).isEqualTo(TableState.LIVE))
          .hasSize(FAMILIES.size() + 1);
      FAMILIES.keySet().forEach(table -> captured.assertSame("public", table, copied));
      FAMILIES.forEach(
          (table, columns) -> {
            SOURCE.run("every_type", insert(table, columns));
            SOURCE.run("every_type", update(table, columns));
          });
      SOURCE.run("every_type", insert("odd_names", ODD_NAMES));
      Cut streamed = captured.awaitNow(engine);
      captured.assertSame("public", "odd_names", streamed);
      FAMILIES.keySet().forEach(table -> captured.assertSame("public", table, streamed));
    }
  }

  @Test
  void everyBuiltInTypeHasALine() throws SQLException {
    List<String> missing = new ArrayList<>();
    List<String> known =
        PostgresTypes.MAPPINGS.stream().flatMap(m -> m.catalogNames().stream()).toList();
    try (Connection connection = SOURCE.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet types =
            statement.executeQuery(
                "select typname from pg_type where typtype = 'b' and typcategory <> 'A'"
                    + " and typnamespace = 'pg_catalog'::regnamespace")) {
      while (types.next()) {
        if (!known.contains(types.getString(1))) {
          missing.add(types.getString(1));
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(known).doesNotHaveDuplicates();
    assertThat(Arrays.asList("int4", "money", "pg_lsn")).allMatch(known::contains);
  }
}
