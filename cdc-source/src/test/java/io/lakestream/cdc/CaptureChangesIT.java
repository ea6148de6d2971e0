package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.CutLog;
import io.lakestream.tables.system.Quarantine;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(SharedFluss.class)
class CaptureChangesIT {
  @RegisterExtension static final TestSource SOURCE = TestSource.logical();

  private static final String DOCUMENTS =
      """
      create table documents (id bigint primary key, body text, note text, raw bytea);
      alter table documents alter column body set storage external;
      alter table documents alter column raw set storage external;
      """;

  private static String document(int id) {
    return "insert into documents values (%d, repeat('body %d ', 2000), 'note', decode(repeat('ab%02d', 3000), 'hex'))"
        .formatted(id, id, id);
  }

  @Test
  void longValuesThatAnUpdateDoesNotTouchStay() {
    SOURCE.createDatabase("toast", DOCUMENTS, document(1), document(2), document(3));
    SourceConfig config = SOURCE.config("toast", "toast");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      SOURCE.run(
          "toast",
          "update documents set note = 'changed' where id = 1",
          "begin; update documents set note = null where id = 2; "
              + "update documents set body = 'short' where id = 3; "
              + document(4)
              + "; update documents set note = 'new' where id = 4; commit",
          "update documents set raw = null, note = 'unchanged' where id = 1");
      captured.assertSame("public", "documents", captured.awaitNow(engine));
    }
  }

  @Test
  void aRowThatMovesToAnotherKeyTakesItsLongValuesAlong() {
    SOURCE.createDatabase("moves", DOCUMENTS, document(1), document(2), document(3));
    SourceConfig config = SOURCE.config("moves", "moves");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      SOURCE.run(
          "moves",
          "update documents set id = 11 where id = 1",
          "begin; delete from documents where id = 2; update documents set id = 2 where id = 3; "
              + document(3)
              + "; update documents set id = 13, note = 'moved' where id = 3; commit",
          "update documents set id = 21, body = 'short' where id = 11",
          "update documents set id = 31 where id = 21");
      captured.assertSame("public", "documents", captured.awaitNow(engine));
      assertThat(engine.status().tables().get(0).changes().deletes()).isEqualTo(1);
    }
  }

  @Test
  void keysOfEveryKindAreFollowedThroughInsertUpdateDeleteAndReinsert() {
    SOURCE.createDatabase(
        "keys",
        "create table by_uuid (u uuid primary key, v int)",
        "create table by_text (t text primary key, v int)",
        "create table by_time (z timestamptz primary key, v int)",
        "create table by_two (a int, b text, c varchar(10), primary key (c, a))",
        "create table \"Order Items\" (\"index\" bigint primary key, \"Id\" int, \"a b\" text, \"a.b\" text)",
        "create table ev (id int primary key, v text)",
        "create table \"Ev\" (id int primary key, v text)");
    List<String> tables =
        List.of("by_uuid", "by_text", "by_time", "by_two", "Order Items", "ev", "Ev");
    SourceConfig config = SOURCE.config("keys", "keys");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    SOURCE.run(
        "keys", "insert into ev values (1, 'small')", "insert into \"Ev\" values (1, 'big')");
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      SOURCE.run(
          "keys",
          "insert into by_uuid select gen_random_uuid(), g from generate_series(1, 50) g",
          "insert into by_text values ('', 0), ('é😀', 1), ('a', 2), ('A', 3), (' a', 4)",
          "insert into by_time select '2024-03-31 01:59:59.999999+00'::timestamptz + g * interval '1 us', g from generate_series(0, 9) g",
          "insert into by_two values (1, 'x', '2'), (2, 'x', '1'), (12, '', ''), (1, null, '22')",
          "insert into \"Order Items\" values (1, 2, 'x', 'y'), (2, null, '', null)",
          "insert into ev values (2, 'small')",
          "insert into \"Ev\" values (2, 'big')",
          "begin; delete from by_text where t = 'a'; insert into by_text values ('a', 22); "
              + "update by_text set t = 'b' where t = 'A'; insert into by_text values ('A', 33); "
              + "delete from by_text where t = 'b'; commit",
          "update by_two set a = a + 1, c = c || 'z'",
          "update by_time set z = z + interval '1 hour' where v < 5",
          "delete from by_uuid where v % 3 = 0",
          "update \"Order Items\" set \"a.b\" = 'dot', \"a b\" = null");
      Cut cut = captured.awaitNow(engine);
      tables.forEach(table -> captured.assertSame("public", table, cut));
    }
  }

  @Test
  void aValueWithoutAnExactHomeGoesToQuarantineAndItsRowOutOfTheView() {
    SOURCE.createDatabase(
        "odd",
        "create table odd (id int primary key, n numeric(10, 2), d date, t timestamp, z timestamptz, body text)",
        "alter table odd alter column body set storage external",
        "insert into odd values (1, 1, '2024-01-01', now(), now(), repeat('x', 5000)),"
            + " (2, 'NaN', null, null, null, null), (3, null, 'infinity', null, null, null),"
            + " (4, 4, null, null, null, null)");
    SourceConfig config = SOURCE.config("odd", "odd");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    TableName name = new TableName("odd", "public", "odd");
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables());
        Quarantine quarantine = Quarantine.open(SharedFluss.tables())) {
      captured.awaitNow(engine);
      assertThat(View.rows(SharedFluss.tables(), name)).hasSize(2);
      assertThat(quarantine.count()).isEqualTo(2);

      SOURCE.run(
          "odd",
          "update odd set n = 'NaN' where id = 1",
          "insert into odd values (5, 5, '-infinity', null, null, null)",
          "insert into odd values (6, 6, null, 'infinity', null, null)",
          "insert into odd values (7, 7, null, null, '-infinity', null)",
          "insert into odd values (8, 8, null, '294260-01-01', null, null)",
          "insert into odd values (9, 9, null, null, null, null)");
      captured.awaitNow(engine);
      assertThat(quarantine.count()).isEqualTo(7);
      assertThat(View.rows(SharedFluss.tables(), name))
          .containsExactly(
              "[4, 4.00, null, null, null, null] x1", "[9, 9.00, null, null, null, null] x1");
      assertThat(engine.status().tables().get(0).changes().quarantined()).isEqualTo(7);

      // The long text of row 1 is not in the update that mends it.
      SOURCE.run(
          "odd",
          "update odd set n = 1 where id = 1",
          "update odd set n = id, d = null, t = null, z = null where id > 1");
      captured.assertSame("public", "odd", captured.awaitNow(engine));
      assertThat(quarantine.list()).filteredOn(entry -> entry.source().equals("odd")).isEmpty();
    }
  }

  @Test
  void truncationsAreFollowedWithTheRowsThatComeAfterThem() {
    SOURCE.createDatabase(
        "truncated",
        "create table parent (id int primary key, v int)",
        "create table child (id int primary key, p int references parent)",
        "create table other (id int primary key, v int)",
        "insert into parent select i, i from generate_series(1, 1000) i",
        "insert into child select i, i from generate_series(1, 1000) i",
        "insert into other values (1, 1)");
    SourceConfig config = SOURCE.config("truncated", "truncated");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      captured.awaitWhole(engine, "public.parent");
      SOURCE.run(
          "truncated",
          "begin; update parent set v = 0; truncate parent cascade; insert into parent values (5, 5);"
              + " insert into other values (2, 2); commit",
          "truncate other");
      Cut cut = captured.awaitNow(engine);
      captured.assertSame("public", "parent", cut);
      captured.assertSame("public", "child", cut);
      captured.assertSame("public", "other", cut);
      SOURCE.run("truncated", "insert into child values (9, 5)", "insert into other values (3, 3)");
    }
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      Cut cut = captured.awaitNow(engine);
      captured.assertSame("public", "child", cut);
      captured.assertSame("public", "other", cut);
    }
  }

  @Test
  void anIdleSourceGoesOnWithCutsThatNameNoBucketAndReleasesTheLog() {
    SOURCE.createDatabase(
        "idle", "create table quiet (id int primary key)", "create table noise (id int, v text)");
    SourceConfig config =
        SOURCE.config("idle", "idle", "postgres", "postgres", List.of("public.quiet"));
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables());
        CutLog cuts = CutLog.open(SharedFluss.tables(), "idle")) {
      Cut first = captured.awaitNow(engine);
      SOURCE.run(
          "idle", "insert into noise select g, repeat('x', 1000) from generate_series(1, 20000) g");
      Cut second = captured.awaitNow(engine);
      assertThat(second.sequence()).isGreaterThan(first.sequence());
      assertThat(second.endOffsets()).isEqualTo(first.endOffsets());
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(
              () ->
                  assertThat(SourcePosition.parseLsn(SOURCE.confirmedPosition("idle")))
                      .isGreaterThanOrEqualTo(second.position()));
      assertThat(engine.status().lagMs().orElseThrow()).isLessThan(2_000);
      assertThat(cuts.latest()).isPresent();
    }
  }
}
