package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.write.QuarantineLimits;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.fixture.TableWriter;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.CaptureRequests.Kind;
import io.lakestream.tables.system.Quarantine;
import io.lakestream.tables.system.StateBoard.TableState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(SharedFluss.class)
class QuarantineIT {
  @RegisterExtension static final TestSource SOURCE = TestSource.logical();

  private static List<String> quarantined(String source) {
    try (Quarantine quarantine = Quarantine.open(SharedFluss.tables())) {
      return quarantine.list().stream()
          .filter(entry -> entry.source().equals(source))
          .map(entry -> entry.key() + " " + entry.column() + "=" + entry.value())
          .toList();
    }
  }

  @Test
  void aRowIsThereOnceWhateverBroughtItAndLeavesWhenItIsMendedOrDeleted() {
    SOURCE.createDatabase(
        "q",
        "create table t (id int primary key, d date)",
        "insert into t values (1, 'infinity'), (2, 'infinity'), (3, 'infinity'), (4, 'infinity')");
    SourceConfig config = SOURCE.config("q", "q");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      SOURCE.run(
          "q",
          "update t set d = '-infinity' where id = 1",
          "update t set d = '2024-02-29' where id = 2",
          "delete from t where id = 3",
          "update t set id = 5 where id = 4",
          "insert into t values (6, 'infinity')",
          "update t set id = 7, d = null where id = 6");
      captured.awaitNow(engine);
      engine.kill();
    }
    List<String> expected = List.of("{\"id\":\"1\"} d=-infinity", "{\"id\":\"5\"} d=infinity");
    assertThat(quarantined("q")).isEqualTo(expected);
    for (int restart = 0; restart < 2; restart++) {
      try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
        captured.awaitNow(engine);
        assertThat(quarantined("q")).isEqualTo(expected);
        assertThat(engine.status().tables().get(0).quarantined()).isEqualTo(2);
      }
    }
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      SOURCE.run("q", "update t set d = null where id = 5", "truncate t");
      captured.assertSame("public", "t", captured.awaitNow(engine));
      assertThat(quarantined("q")).isEmpty();
    }
  }

  @Test
  void aRowWhoseKeyHasNoHomeIsInQuarantineAndTheCopyGoesOnBehindIt() {
    SOURCE.createDatabase(
        "qkey",
        "create table t (d date primary key, v text)",
        "insert into t values ('infinity', 'x'), ('-infinity', 'y')",
        "insert into t select '2000-01-01'::date + i, repeat('v', 10) from generate_series(1, 9999) i");
    SourceConfig config = SOURCE.config("qkey", "qkey");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      assertThat(quarantined("qkey"))
          .containsExactly("{\"d\":\"-infinity\"} d=-infinity", "{\"d\":\"infinity\"} d=infinity");
      SOURCE.run("qkey", "delete from t where not isfinite(d)");
      captured.assertSame("public", "t", captured.awaitNow(engine));
      assertThat(quarantined("qkey")).isEmpty();
    }
  }

  @Test
  void aRetryReadsRowsFromTheSourceAgainAndADropForgetsThem() {
    SOURCE.createDatabase(
        "qretry",
        "create table t (id int, k text, d date, primary key (k, id))",
        "insert into t values (1, 'a', '2024-01-01'), (2, 'b', 'infinity'), (3, 'c', 'infinity')");
    SourceConfig config = SOURCE.config("qretry", "qretry");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
    }
    // As a version would have left them that could not convert row 1, and did not see row 4 go.
    leaveOut("qretry", "a", 1);
    try (Quarantine quarantine = Quarantine.open(SharedFluss.tables())) {
      for (String key : List.of("{\"k\":\"a\",\"id\":\"1\"}", "{\"k\":\"d\",\"id\":\"4\"}")) {
        quarantine.put(new Quarantine.Entry("qretry", "public.t", "0/1", key, "d", "why", "x"));
      }
    }
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      assertThat(View.rows(SharedFluss.tables(), new TableName("qretry", "public", "t"))).isEmpty();
      assertThat(Asked.answer("qretry", Kind.RETRY, "public.t", ""))
          .isEqualTo("written=1 gone=1 changed-meanwhile=0 still-quarantined=2");
      captured.awaitNow(engine);
      assertThat(View.rows(SharedFluss.tables(), new TableName("qretry", "public", "t")))
          .containsExactly("[1, a, 2024-01-01] x1");
      assertThat(quarantined("qretry")).hasSize(2);
      assertThat(Asked.answer("qretry", Kind.DROP, "public.t", "{\"k\":\"b\",\"id\":\"2\"}"))
          .isEqualTo("dropped=1");
      assertThat(quarantined("qretry")).containsExactly("{\"k\":\"c\",\"id\":\"3\"} d=infinity");
      assertThat(Asked.answer("qretry", Kind.RETRY, "public.none", "")).startsWith("failed:");
    }
  }

  private static void leaveOut(String source, Object... key) {
    var live = SharedFluss.tables().find(new TableName(source, "public", "t")).orElseThrow();
    try (TableWriter writer = TableWriter.open(SharedFluss.tables(), live)) {
      writer.delete(key).flush();
    }
  }

  @Test
  void aTableWithMoreBadRowsThanItsLimitIsPausedAndTheOthersGoOn() {
    SOURCE.createDatabase(
        "qlimit",
        "create table bad (id int primary key, d date)",
        "create table worse (id int primary key, d date)",
        "create table good (id int primary key, d date)",
        "insert into worse select i, 'infinity' from generate_series(1, 50) i");
    SourceConfig config = SOURCE.config("qlimit", "qlimit");
    CaptureOptions options =
        new CaptureOptions(new QuarantineLimits(3, Map.of("public.worse", 20)));
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables(), options)) {
      captured.awaitNow(engine);
      assertPaused(engine, "public.worse", "more than 20 of its rows");
      SOURCE.run("qlimit", "insert into bad select i, 'infinity' from generate_series(1, 3) i");
      captured.awaitNow(engine);
      SOURCE.run(
          "qlimit",
          "insert into bad values (4, '-infinity')",
          "insert into bad values (5, null)",
          "insert into good values (1, '2024-01-01')");
      captured.assertSame("public", "good", captured.awaitNow(engine));
      assertPaused(engine, "public.bad", "more than 3 of its rows");
      assertThat(quarantined("qlimit")).hasSize(21 + 4);
      SOURCE.run("qlimit", "update bad set d = null");
      try (var progress = CaptureProgress.open(SharedFluss.tables(), "qlimit")) {
        progress.requestResync("public.bad");
      }
      captured.awaitWhole(engine, "public.bad");
      captured.assertSame("public", "bad", captured.awaitNow(engine));
      assertThat(quarantined("qlimit")).hasSize(21);
    }
  }

  private static void assertPaused(CaptureEngine engine, String table, String why) {
    assertThat(engine.status().tables())
        .filteredOn(line -> line.name().equals(table))
        .singleElement()
        .satisfies(
            line -> {
              assertThat(line.state()).isEqualTo(TableState.PAUSED);
              assertThat(line.reason())
                  .contains(why)
                  .contains("lakestream cdc quarantine list " + table)
                  .contains("lakestream cdc resync " + table);
            });
  }
}
