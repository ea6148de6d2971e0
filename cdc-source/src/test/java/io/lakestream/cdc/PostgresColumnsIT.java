package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.cdc.postgres.PostgresConnection;
import io.lakestream.cdc.source.ColumnOverride;
import io.lakestream.cdc.source.ColumnOverrides;
import io.lakestream.cdc.source.Refusal;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.Quarantine;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Columns whose home the configuration chooses, long values, and keys of every kind. */
@ExtendWith(SharedFluss.class)
class PostgresColumnsIT {
  @RegisterExtension static final TestSource SOURCE = TestSource.logical();

  private static ColumnOverride decimal(int precision, int scale) {
    return ColumnOverride.parse("decimal(" + precision + "," + scale + ")");
  }

  @Test
  void aColumnIsCapturedAsTheConfigurationSays() {
    SOURCE.createDatabase(
        "chosen",
        "create table chosen (id int primary key, b boolean, i int, f float8, y bytea, d date,"
            + " t timestamp, z timestamptz, n numeric(10,2), a numeric, secret text,"
            + " g int generated always as (id + 1) stored)");
    String rows =
        """
        insert into chosen values (%1$d, true, 7, 'NaN', '\\x00ff', 'infinity', '-infinity',
          'infinity', 'NaN', 1.5, 'hidden'),
        (%1$d + 1, false, -7, -0.0, '', '0044-03-15 BC', '294276-12-31 23:59:59.999999',
          '2024-03-31 02:30:00.123456+01', 1.10, 99999999.9999, 'hidden'),
        (%1$d + 2, null, null, null, null, null, null, null, null, null, null)""";
    SOURCE.run("chosen", rows.formatted(1));
    ColumnOverride text = ColumnOverride.TEXT;
    SourceConfig config =
        SOURCE
            .config("chosen", "chosen")
            .withOverrides(
                new ColumnOverrides(
                    Map.of(
                        "public.chosen",
                        Map.of(
                            "b",
                            text,
                            "i",
                            text,
                            "f",
                            text,
                            "y",
                            text,
                            "d",
                            text,
                            "t",
                            text,
                            "z",
                            text,
                            "n",
                            text,
                            "a",
                            decimal(12, 4),
                            "g",
                            ColumnOverride.SKIP))));
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables());
        Quarantine quarantine = Quarantine.open(SharedFluss.tables())) {
      assertChosen(captured.awaitNow(engine), 1);
      SOURCE.run("chosen", rows.formatted(11), "update chosen set i = i + 1, b = not b");
      assertChosen(captured.awaitNow(engine), 2);
      long before = quarantine.count();
      SOURCE.run(
          "chosen",
          "insert into chosen (id, a) values (21, 1), (22, 0.00001), (23, 'NaN'), (24, 1.50000)");
      captured.awaitNow(engine);
      assertThat(quarantine.count()).isEqualTo(before + 2);
      assertThat(View.rows(SharedFluss.tables(), new TableName("chosen", "public", "chosen")))
          .hasSize(8);
    }
  }

  private static void assertChosen(Cut cut, int copies) {
    TableName name = new TableName("chosen", "public", "chosen");
    var columns = SharedFluss.tables().find(name).orElseThrow().definition().columnNames();
    assertThat(columns).doesNotContain("g").contains("secret");
    List<String> source =
        SOURCE.rows("chosen", "public.chosen", columns).stream()
            // A boolean as text is what the output function prints, and a decimal has all digits.
            .map(row -> row.replace(", true,", ", t,").replace(", false,", ", f,"))
            .map(row -> row.replace(", 1.5, hidden", ", 1.5000, hidden"))
            .toList();
    assertThat(View.rowsAt(SharedFluss.tables(), name, cut))
        .hasSize(3 * copies)
        .containsExactlyInAnyOrderElementsOf(source);
  }

  @Test
  void anOverrideThatCannotBeIsNamedWithTheWayOut() {
    SOURCE.createDatabase(
        "wrong",
        "create table orders (id int primary key, total int, f float4)",
        "create table other (id int primary key)",
        "create table computed (id int primary key, g int generated always as (id + 1) stored)");
    assertThat(wrong("public.orders", "total", decimal(10, 2)).reason())
        .contains("column total has type integer")
        .contains("sources.wrong.table-settings.'public.orders'.columns.'total'.type");
    assertThat(wrong("public.other", "id", ColumnOverride.SKIP).reason())
        .contains("column id is part of the key and cannot be left out");
    assertThat(wrong("public.computed", "g", ColumnOverride.TEXT).reason())
        .contains("column g is generated")
        .contains("sources.wrong.table-settings.'public.computed'.columns.'g'.type: skip");
    assertThatThrownBy(() -> check("public.order", "total"))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIG))
        .hasMessageContaining("no table public.order is captured. Did you mean 'public.orders'?");
    assertThatThrownBy(() -> check("public.orders", "totla"))
        .hasMessageContaining("table public.orders has no column totla. Did you mean 'total'?");
  }

  private static SourceConfig overriding(String table, String column, ColumnOverride override) {
    return SOURCE
        .config("wrong", "wrong")
        .withOverrides(new ColumnOverrides(Map.of(table, Map.of(column, override))));
  }

  private static Refusal wrong(String table, String column, ColumnOverride override) {
    try (PostgresConnection connection =
        PostgresConnection.open(overriding(table, column, override))) {
      return connection.discover().refusals().stream()
          .filter(refusal -> refusal.display().equals(table))
          .findFirst()
          .orElseThrow();
    }
  }

  private static void check(String table, String column) {
    try (PostgresConnection connection =
        PostgresConnection.open(overriding(table, column, ColumnOverride.TEXT))) {
      connection.check(false);
    }
  }

  @Test
  void longValuesOfEveryKindStayWhereAnUpdateDoesNotTouchThem() {
    String columns = "a int[], j jsonb, x xml, c pair, n numeric, b bit varying, t text";
    SOURCE.createDatabase(
        "long",
        "create type pair as (a int, b text)",
        "create table long (id int primary key, " + columns + ", v int)",
        "create table texts (id int primary key, t text, v int)");
    for (String column : List.of("a", "j", "x", "c", "n", "b", "t")) {
      SOURCE.run("long", "alter table long alter column " + column + " set storage external");
    }
    String row =
        """
        insert into long select %d, array_agg(g), jsonb_object_agg(g, g), ('<a>' || repeat('x', 9000)
          || '</a>')::xml, row(1, repeat('y', 9000))::pair, repeat('123456789', 4000)::numeric,
          repeat('10', 20000)::bit varying, repeat('z', 5000000), 0
        from generate_series(1, 3000) g""";
    SOURCE.run("long", row.formatted(1));
    SourceConfig config = SOURCE.config("long", "long");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.assertSame("public", "long", captured.awaitNow(engine));
      SOURCE.run(
          "long",
          row.formatted(2),
          "update long set v = 1",
          "update long set id = id + 10 where id = 1",
          "update long set t = 'short', v = 2 where id = 2");
      captured.assertSame("public", "long", captured.awaitNow(engine));
    }
  }

  private static final Map<String, List<String>> KEYS =
      Map.ofEntries(
          Map.entry("text collate any_case", List.of("'a'", "'B'", "'é'", "'Z'", "''")),
          Map.entry("text", List.of("'0'", "'1'", "'a'", "'B'", "'é😀'", "''", "' a'", "'a '")),
          Map.entry("char(4)", List.of("'a'", "'b c'", "''")),
          Map.entry("uuid", List.of("gen_random_uuid()", "'00000000-0000-0000-0000-000000000000'")),
          Map.entry("date", List.of("'0044-03-15 BC'", "'2024-02-29'", "'5874897-12-31'")),
          Map.entry("timestamp", List.of("'1969-12-31 23:59:59.999999'", "'2024-01-01'")),
          Map.entry("timestamptz", List.of("'2024-03-31 01:59:59.999999+00'", "'1883-11-18'")),
          Map.entry("time", List.of("'24:00'", "'00:00:00.000001'")),
          Map.entry("interval", List.of("'1 day'", "'838:59:59'", "'-1 year'")),
          Map.entry("numeric", List.of("1.50", "1e30", "'NaN'", "'-Infinity'")),
          Map.entry("numeric(12,2)", List.of("-0.01", "9999999999.99")),
          Map.entry("mood", List.of("'sad'", "'happy'")),
          Map.entry("boolean", List.of("true", "false")),
          Map.entry("bytea", List.of("'\\x00'", "'\\x0000'", "''")),
          Map.entry("inet", List.of("'10.0.0.1'", "'10.0.0.1/24'")),
          Map.entry("int[]", List.of("'{1,NULL}'", "'{}'")),
          Map.entry("int4range", List.of("'[1,5)'", "'empty'")),
          // Longer than 1 kB, once as it is and once only until it is compressed.
          Map.entry(
              "varchar",
              List.of(
                  "(select string_agg(md5(g::text), '') from generate_series(1, 70) g)",
                  "repeat('key', 20000)",
                  "repeat('key', 20000) || '2'")));

  @Test
  void keysOfEveryTypeAreFollowed() {
    SOURCE.createDatabase(
        "every_key",
        "create type mood as enum ('sad', 'happy')",
        "create collation any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
    List<String> types = List.copyOf(KEYS.keySet());
    for (int i = 0; i < types.size(); i++) {
      SOURCE.run(
          "every_key",
          "create table k" + i + " (v text, n int, k " + types.get(i) + " primary key)",
          insert(i, types.get(i)));
    }
    SourceConfig config = SOURCE.config("every_key", "every_key");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      Cut copied = captured.awaitNow(engine);
      for (int i = 0; i < types.size(); i++) {
        captured.assertSame("public", "k" + i, copied);
        String first = "k" + i + " where k = (select k from k" + i + " order by n limit 1)";
        SOURCE.run(
            "every_key",
            "update k" + i + " set v = 'updated'",
            "begin; delete from " + first + "; commit",
            "begin; delete from k%1$d; %2$s; delete from %3$s; commit"
                .formatted(i, insert(i, types.get(i)), first),
            "begin; delete from k%1$d; %2$s; update k%1$d set n = n + 10; commit"
                .formatted(i, insert(i, types.get(i))));
      }
      // Equal to the key before, but for its bytes.
      int caseless = types.indexOf("text collate any_case");
      SOURCE.run("every_key", "update k" + caseless + " set k = 'A' where k = 'a'");
      int digits = types.indexOf("numeric");
      SOURCE.run("every_key", "update k" + digits + " set k = 1.500 where k = 1.5");
      Cut streamed = captured.awaitNow(engine);
      for (int i = 0; i < types.size(); i++) {
        captured.assertSame("public", "k" + i, streamed);
      }
    }
  }

  private static String insert(int table, String type) {
    StringBuilder sql = new StringBuilder("insert into k" + table + " values ");
    List<String> keys = KEYS.get(type);
    for (int i = 0; i < keys.size(); i++) {
      sql.append(i == 0 ? "" : ", ").append("('v', " + i + ", " + keys.get(i) + ")");
    }
    return sql.toString();
  }

  @Test
  void aUniqueIndexThatIsTheReplicaIdentityIsTheKey() {
    SOURCE.createDatabase(
        "by_index",
        "create table by_index (a int not null unique, v text, \"C,:\" text not null, b int not null)",
        "create unique index the_key on by_index (\"C,:\", b) include (v)",
        "alter table by_index replica identity using index the_key",
        "create table with_more (id int, v text, primary key (id) include (v))",
        "create table no_index (a int not null unique)",
        "insert into by_index values (1, 'x', 'c', 1), (2, null, 'c', 2)",
        "insert into with_more values (1, 'x'), (2, null)");
    SourceConfig config = SOURCE.config("by_index", "by_index");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      assertThat(
              SharedFluss.tables()
                  .find(new TableName("by_index", "public", "by_index"))
                  .orElseThrow()
                  .definition()
                  .primaryKey())
          .containsExactly("C,:", "b");
      assertThat(engine.status().tables())
          .filteredOn(table -> table.name().equals("public.no_index"))
          .singleElement()
          .satisfies(t -> assertThat(t.reason()).contains("REPLICA IDENTITY USING INDEX"));
      SOURCE.run(
          "by_index",
          "insert into by_index values (3, 'y', 'd', 3), (4, 'z', 'd', 4)",
          "update by_index set a = a + 10, v = 'changed' where b = 1",
          "update by_index set \"C,:\" = 'moved' where b = 2",
          "update by_index set b = b + 100 where b = 3",
          "delete from by_index where b = 4",
          "update with_more set v = 'y', id = id + 10",
          "delete from with_more where id = 11");
      Cut cut = captured.awaitNow(engine);
      captured.assertSame("public", "by_index", cut);
      captured.assertSame("public", "with_more", cut);
    }
  }
}
