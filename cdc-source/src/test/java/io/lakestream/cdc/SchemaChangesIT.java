package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.source.SchemaChanges;
import io.lakestream.cdc.source.SchemaChanges.Choice;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.StateBoard.TableState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(SharedFluss.class)
class SchemaChangesIT {
  @RegisterExtension static final TestSource SOURCE = TestSource.logical();

  private static Optional<CaptureStatus.Table> line(CaptureEngine engine, String table) {
    return engine.status().tables().stream()
        .filter(line -> line.name().equals("public." + table))
        .findFirst();
  }

  private static void awaitState(CaptureEngine engine, String table, TableState state, String why) {
    await()
        .atMost(Duration.ofSeconds(40))
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(
            () -> {
              assertThat(engine.failure()).isEmpty();
              assertThat(line(engine, table))
                  .hasValueSatisfying(
                      line -> {
                        assertThat(line.state()).as("%s: %s", table, line).isEqualTo(state);
                        assertThat(line.reason()).contains(why);
                      });
            });
  }

  private static List<String> columns(String source, String table) {
    return SharedFluss.tables()
        .find(new TableName(source, "public", table))
        .map(live -> live.definition().columnNames())
        .orElse(List.of());
  }

  private static void awaitColumns(String source, String table, String... columns) {
    await()
        .atMost(Duration.ofSeconds(40))
        .pollInterval(Duration.ofMillis(20))
        .until(() -> columns(source, table).equals(List.of(columns)));
  }

  @Test
  void everyChangeOfColumnsAndKeysInTheStreamIsFollowed() {
    SOURCE.createDatabase(
        "shapes",
        "create table other (id int primary key, v int)",
        "create table constant (id int primary key, v int)",
        "create table volatile (id int primary key, v int)",
        "create table plain (id int primary key, v int)",
        "create table dropped (id int primary key, note text, v int)",
        "create table readded (id int primary key, note text)",
        "create table same_names (id int primary key, v int)",
        "create table renamed (id int primary key, v int)",
        "create table widened (id int primary key, v int, n numeric(10,2), t varchar(5))",
        "create table narrowed (id int primary key, v bigint)",
        "create table rekeyed (id int primary key, k int not null, v int)",
        "create table there_and_back (id int primary key, v int)");
    List<String> tables =
        List.of(
            "constant",
            "volatile",
            "plain",
            "dropped",
            "readded",
            "same_names",
            "renamed",
            "widened",
            "narrowed",
            "rekeyed",
            "there_and_back");
    for (String table : tables) {
      boolean keyed = table.equals("rekeyed");
      SOURCE.run(
          "shapes",
          "insert into %s (id%s) select i%s from generate_series(1, 300) i"
              .formatted(table, keyed ? ", k" : "", keyed ? ", -i" : ""));
    }
    SourceConfig config = SOURCE.config("shapes", "shapes");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      SOURCE.run(
          "shapes",
          "begin; update constant set v = 1 where id = 1; alter table constant add column w text default 'x';"
              + " insert into constant values (1001, 1, 'y'); commit",
          "alter table volatile add column w uuid default gen_random_uuid()",
          "update volatile set v = 7 where id = 1",
          "alter table plain add column w int",
          "update plain set w = 5 where id = 5",
          "insert into plain values (1001, 1, 1)",
          "begin; delete from plain where id = 9; alter table plain add column x date, add column y text;"
              + " insert into plain values (1002, 1, null, '2024-01-01', repeat('y', 9000)); commit",
          "update plain set v = 2 where id in (1002, 10)",
          "alter table dropped drop column note",
          "insert into dropped values (1001, 1)",
          "begin; alter table readded drop column note; alter table readded add column note int;"
              + " insert into readded values (1001, 9); commit",
          "update same_names set v = 4 where id = 4",
          "alter table same_names drop column v",
          "alter table same_names add column v int",
          "insert into same_names values (1001, 2)",
          "alter table renamed rename column v to w",
          "update renamed set w = 3 where id = 3",
          "alter table widened alter column v type bigint, alter column n type numeric(14,4),"
              + " alter column t type text",
          "insert into widened values (1001, 5000000000, 1.2345, 'a long text')",
          "alter table narrowed alter column v type int",
          "update narrowed set v = 3 where id = 3",
          "alter table rekeyed drop constraint rekeyed_pkey",
          "alter table rekeyed add primary key (k, id)",
          "update rekeyed set k = 7 where id = 3",
          "alter table there_and_back rename column v to w",
          "update there_and_back set w = 9 where id = 9",
          "alter table there_and_back rename column w to v",
          "update there_and_back set v = 10 where id = 10",
          "insert into other values (1, 1)");
      awaitColumns("shapes", "constant", "id", "v", "w");
      awaitColumns("shapes", "volatile", "id", "v", "w");
      awaitColumns("shapes", "plain", "id", "v", "w", "x", "y");
      awaitColumns("shapes", "dropped", "id", "v");
      awaitColumns("shapes", "renamed", "id", "w");
      Cut cut = captured.awaitNow(engine);
      for (String table : tables) {
        awaitState(engine, table, TableState.LIVE, "");
        captured.assertSame("public", table, cut);
        assertThat(SharedFluss.tables().generations().of(new TableName("shapes", "public", table)))
            .as(table)
            .hasSize(1);
      }
      captured.assertSame("public", "other", cut);
      for (String inPlace : List.of("other", "plain")) {
        assertThat(SharedFluss.tables().find(new TableName("shapes", "public", inPlace)))
            .as(inPlace)
            .hasValueSatisfying(live -> assertThat(live.generation().number()).isEqualTo(1));
      }
    }
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      SOURCE.run("shapes", "update constant set w = 'z' where id = 2");
      Cut cut = captured.awaitNow(engine);
      for (String table : tables) {
        captured.assertSame("public", table, cut);
      }
    }
  }

  @Test
  void tablesThatArePausedByChoiceWaitAndAreCopiedAnewOnDemand() {
    SOURCE.createDatabase(
        "waits",
        "create table waits (id int primary key, v int)",
        "create table follows (id int primary key, v int)",
        "insert into waits values (1, 1)",
        "insert into follows values (1, 1)");
    SourceConfig config =
        SOURCE
            .config("waits", "waits")
            .withSchemaChanges(
                new SchemaChanges(Choice.PAUSE, Map.of("public.follows", Choice.FOLLOW)));
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    TableName waits = new TableName("waits", "public", "waits");
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      Cut before = captured.awaitNow(engine);
      SOURCE.run(
          "waits",
          "alter table waits add column w text default 'x'",
          "insert into waits values (2, 2, 'y')",
          "alter table follows add column w text default 'x'",
          "insert into follows values (2, 2, 'y')");
      awaitState(engine, "waits", TableState.PAUSED, "lakestream cdc resync public.waits");
      awaitColumns("waits", "follows", "id", "v", "w");
      captured.assertSame("public", "follows", captured.awaitNow(engine));
      // What a reader finds: the rows as they were, and at which cut.
      var live = SharedFluss.tables().find(waits).orElseThrow();
      Cut last = live.lastCut().orElseThrow();
      assertThat(last.position()).isGreaterThanOrEqualTo(before.position());
      assertThat(View.rowsAt(SharedFluss.tables(), waits, last)).containsExactly("[1, 1] x1");
      try (CaptureProgress progress = CaptureProgress.open(SharedFluss.tables(), "waits")) {
        progress.requestResync("public.waits");
        awaitColumns("waits", "waits", "id", "v", "w");
        captured.assertSame("public", "waits", captured.awaitNow(engine));
        assertThat(progress.isResyncRequested("public.waits")).isFalse();
      }
      SOURCE.run("waits", "alter table waits rename column w to x");
      awaitState(engine, "waits", TableState.PAUSED, "lakestream cdc resync public.waits");
    }
    // The choice is made anew with every start.
    SourceConfig followed = config.withSchemaChanges(SchemaChanges.FOLLOWED);
    try (CaptureEngine engine = CaptureEngine.start(followed, SharedFluss.tables())) {
      awaitColumns("waits", "waits", "id", "v", "x");
      captured.assertSame("public", "waits", captured.awaitNow(engine));
    }
  }

  @Test
  void tablesThatAreReplacedRenamedOrLoseTheirKeyAreFollowedAlsoWhileCaptureIsDown() {
    SOURCE.createDatabase(
        "replaced",
        "create table recreated (id int primary key, v int)",
        "create table swapped (id int primary key, v int)",
        "create table swapped_twin (id int primary key, v int)",
        "create table moved (id int primary key, v int)",
        "create table unkeyed (id int primary key, v int)",
        "create table down (id int primary key, v int)",
        "create table down_recreated (id int primary key, v int)",
        "create table grows_down (id int primary key, v int)",
        "create table filled_down (id int primary key, v int)",
        "create table other (id int primary key, v int)");
    for (String table :
        List.of(
            "recreated",
            "swapped",
            "swapped_twin",
            "moved",
            "unkeyed",
            "down",
            "grows_down",
            "filled_down")) {
      SOURCE.run("replaced", "insert into " + table + " select i, i from generate_series(1, 50) i");
    }
    SourceConfig config = SOURCE.config("replaced", "replaced");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      SOURCE.run(
          "replaced",
          "drop table recreated",
          "create table recreated (k text primary key, id date)",
          "insert into recreated values ('a', '2024-01-01')",
          // What online schema change tools do: copy, trigger, swap.
          "create table swapped_new (id bigint primary key, v int, w text default 'w')",
          "create function follow() returns trigger language plpgsql as 'begin"
              + " insert into swapped_new (id, v) values (new.id, new.v)"
              + " on conflict (id) do update set v = excluded.v; return new; end'",
          "create trigger t after insert or update on swapped for each row execute function follow()",
          "insert into swapped_new (id, v) select id, v from swapped on conflict do nothing",
          "update swapped set v = 0 where id < 9",
          "begin; alter table swapped rename to swapped_old;"
              + " alter table swapped_new rename to swapped; commit",
          "insert into swapped values (5000000000, 1, 'new')",
          "begin; alter table swapped_twin rename to twin_old;"
              + " create table swapped_twin (id int primary key, v int); commit",
          "insert into swapped_twin values (1, 2)",
          "alter table moved rename to moved_on",
          "update moved_on set v = 0 where id = 1",
          "alter table unkeyed drop constraint unkeyed_pkey",
          "insert into unkeyed values (1001, 1)",
          "insert into other values (1, 1)");
      awaitState(engine, "unkeyed", TableState.PAUSED, "it has no primary key");
      awaitState(engine, "moved", TableState.PAUSED, "gone from the source");
      awaitColumns("replaced", "recreated", "k", "id");
      awaitColumns("replaced", "swapped", "id", "v", "w");
      for (String table :
          List.of("swapped_old", "swapped_twin", "twin_old", "moved_on", "recreated", "other")) {
        awaitState(engine, table, TableState.LIVE, "");
      }
      Cut cut = captured.awaitNow(engine);
      for (String table :
          List.of("recreated", "swapped", "swapped_old", "swapped_twin", "twin_old", "moved_on")) {
        captured.assertSame("public", table, cut);
      }
      SOURCE.run("replaced", "alter table unkeyed add primary key (v, id)");
      awaitState(engine, "unkeyed", TableState.LIVE, "");
      captured.assertSame("public", "unkeyed", captured.awaitNow(engine));
    }
    SOURCE.run(
        "replaced",
        "update down set v = 0 where id = 1",
        "alter table down alter column v type text using 'v' || v",
        "update down set v = 'x' where id = 2",
        "alter table down add column w int not null default 5",
        "insert into down values (1001, 'y', 6)",
        "update grows_down set v = 0 where id = 1",
        "alter table grows_down add column w int",
        "update grows_down set w = 5 where id = 2",
        "alter table filled_down add column w text default random()::text",
        "alter table filled_down alter column w drop default",
        "insert into down_recreated values (1, 1)",
        "drop table down_recreated",
        "create table down_recreated (id int primary key, v int)",
        "insert into down_recreated values (2, 2)",
        "insert into other values (2, 2)");
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      Cut cut = captured.awaitNow(engine);
      captured.assertSame("public", "down", cut);
      captured.assertSame("public", "down_recreated", cut);
      captured.assertSame("public", "grows_down", cut);
      captured.assertSame("public", "filled_down", cut);
      assertThat(SharedFluss.tables().find(new TableName("replaced", "public", "grows_down")))
          .hasValueSatisfying(live -> assertThat(live.generation().number()).isEqualTo(1));
      captured.assertSame("public", "other", cut);
    }
  }

  @Test
  void aRebuildThatIsKilledGoesOnWhileTheOldShapeIsReadAndOtherTablesStream() {
    int rows = 60_000;
    SOURCE.createDatabase(
        "killed_rebuild",
        "create table big (id int primary key, v int)",
        "create table other (id int primary key, v int)",
        "insert into big select i, i from generate_series(1, " + rows + ") i");
    SourceConfig config = SOURCE.config("killed_rebuild", "killed_rebuild");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    TableName big = new TableName("killed_rebuild", "public", "big");
    TableName other = new TableName("killed_rebuild", "public", "other");
    try (CaptureProgress progress = CaptureProgress.open(SharedFluss.tables(), "killed_rebuild")) {
      List<String> before;
      long copied;
      try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
        Cut cut = captured.awaitNow(engine);
        before = View.rowsAt(SharedFluss.tables(), big, cut);
        SOURCE.run(
            "killed_rebuild",
            "alter table big alter column v type bigint, add column w text default 'w'",
            "update big set w = 'changed' where id % 1000 = 0");
        await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(5))
            .until(
                () ->
                    progress.table("public.big").orElseThrow().copy().generation() == 2
                        && progress.table("public.big").orElseThrow().copiedRows() > 0);
        engine.kill();
        copied = progress.table("public.big").orElseThrow().copiedRows();
        assertThat(copied).isBetween(1L, rows - 1L);
      }
      var old = SharedFluss.tables().find(big).orElseThrow();
      assertThat(old.generation().number()).isEqualTo(1);
      assertThat(View.rowsAt(SharedFluss.tables(), big, old.lastCut().orElseThrow()))
          .isEqualTo(before);
      SOURCE.run(
          "killed_rebuild",
          "delete from big where id % 7 = 0",
          "insert into other select i, i from generate_series(1, 10) i");
      try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
        assertThat(line(engine, "big").orElseThrow().state()).isEqualTo(TableState.REBUILDING);
        Cut cut = captured.awaitNow(engine);
        captured.assertSame("public", "big", cut);
        captured.assertSame("public", "other", cut);
        assertThat(engine.status().tables())
            .filteredOn(t -> t.name().equals("public.big"))
            .singleElement()
            .satisfies(t -> assertThat(t.changes().upserts()).isLessThan(rows));
      }
      assertThat(SharedFluss.tables().generations().of(big)).hasSize(1);
      assertThat(SharedFluss.tables().find(other)).isPresent();
    }
  }
}
