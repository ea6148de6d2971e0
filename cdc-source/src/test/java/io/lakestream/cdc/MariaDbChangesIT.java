package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.source.SchemaChanges;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.CaptureRequests.Kind;
import io.lakestream.tables.system.StateBoard.SourceState;
import io.lakestream.tables.system.StateBoard.TableState;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(SharedFluss.class)
class MariaDbChangesIT {
  @RegisterExtension static final TestMariaDb SOURCE = new TestMariaDb();

  private static void awaitPaused(CaptureEngine engine, String table, String reason) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(engine.status().tables())
                    .filteredOn(t -> t.name().equals(table))
                    .singleElement()
                    .satisfies(
                        t -> {
                          assertThat(t.state()).isEqualTo(TableState.PAUSED);
                          assertThat(t.reason()).contains(reason);
                        }));
  }

  @Test
  void keysInAnyCollationChangeCollideAndComeBackInOneTransaction() {
    SOURCE.createDatabase(
        "my_keys",
        "create table ci (k varchar(20) collate utf8mb4_general_ci primary key, v int)",
        "create table en (e enum('z','a','m') primary key, v int)",
        "create table two (b int, a varchar(5), v int, primary key (b, a))",
        "create table n (id int primary key, v int)");
    SourceConfig config = SOURCE.config("my_keys", "my_keys");
    CapturedMariaDb captured = new CapturedMariaDb(SOURCE, config);
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      SOURCE.run(
          "my_keys",
          "insert into ci values ('0', 1), ('1', 2), ('a', 3), ('B', 4), ('é', 5), ('Z', 6)",
          "update ci set k = 'A' where k = 'a'",
          "update ci set k = 'z' where k = 'Z'",
          "insert into en values ('z', 1), ('a', 2), ('m', 3)",
          "delete from en where e = 'a'",
          "insert into two values (1, 'x', 1), (1, 'y', 2), (2, 'x', 3)",
          "update two set a = 'z', v = 9 where b = 1 and a = 'y'",
          "insert into n values (1, 1), (2, 2), (3, 3)",
          // New keys that collide with old ones of the same statement.
          "update n set id = id + 1 order by id desc",
          "begin",
          "delete from n where id = 3",
          "insert into n values (3, 33)",
          "delete from n where id = 3",
          "insert into n values (3, 333)",
          "update n set id = 30 where id = 3",
          "update n set id = 3 where id = 30",
          "commit",
          "begin",
          "insert into n values (50, 50)",
          "savepoint s",
          "insert into n values (51, 51)",
          "update n set v = 0",
          "rollback to s",
          "insert into n values (52, 52)",
          "commit",
          "begin",
          "insert into n values (60, 60)",
          "rollback");
      for (String table : new String[] {"ci", "en", "two", "n"}) {
        captured.assertSame(engine, table);
      }
    }
  }

  @Test
  void aColumnThatMovesAndLabelsThatAreAddedAreFollowedByName() {
    SOURCE.createDatabase(
        "my_moves",
        "create table t (id int primary key, a int, b int, c varchar(9), e enum('x','y'))");
    SourceConfig config = SOURCE.config("my_moves", "my_moves");
    CapturedMariaDb captured = new CapturedMariaDb(SOURCE, config);
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      SOURCE.run(
          "my_moves",
          "insert into t values (1, 10, 20, 'c', 'x')",
          "alter table t modify b int first",
          "insert into t (id, a, b, c, e) values (2, 11, 21, 'd', 'y')",
          "alter table t modify e enum('w','x','y','z')",
          "insert into t (id, a, b, c, e) values (3, 12, 22, 'd', 'w')",
          "alter table t modify c varchar(9) first, modify a int after e",
          "update t set c = concat(c, '!')",
          // Back where it was: the view has the columns in the order of the registration.
          "alter table t modify id int first, modify a int after id, modify b int after a,"
              + " modify c varchar(9) after b, modify e enum('w','x','y','z') after c",
          "insert into t values (4, 13, 23, 'e', 'z')");
      captured.assertSame(engine, "t");
    }
  }

  @Test
  void whatCannotOrShallNotBeFollowedPausesItsTableAndNoOther() {
    SOURCE.createDatabase(
        "my_pause",
        "create table fine (id int primary key, v int)",
        "create table truncated (id int primary key, v int)",
        "create table dropped (id int primary key, v int)",
        "create table swapped (id int primary key, v int)",
        "create table swapped_new (id int primary key, v int)",
        "create table widened (id int primary key, v int)",
        "create table part (id int primary key, v int) partition by hash(id) partitions 2",
        "create table ranged (id int primary key, v int) partition by range(id)"
            + " (partition p0 values less than (10), partition p1 values less than (100))",
        "create table stated (id int primary key, v int)",
        "create table minimal (id int primary key, v int, w int)");
    SourceConfig config =
        SOURCE
            .config("my_pause", "my_pause")
            .withSchemaChanges(new SchemaChanges(SchemaChanges.Choice.PAUSE, Map.of()));
    CapturedMariaDb captured = new CapturedMariaDb(SOURCE, config);
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      SOURCE.run(
          "my_pause",
          "insert into truncated values (1, 1)",
          "insert into minimal values (1, 1, 1)",
          "truncate table truncated",
          "drop table dropped",
          "rename table swapped to swapped_old, swapped_new to swapped",
          "alter table widened modify v bigint",
          "insert into widened values (1, 5000000000)",
          "insert into part values (1, 1), (2, 2)",
          "insert into ranged values (1, 1), (20, 2)",
          "alter table ranged drop partition p0",
          "set session binlog_format = 'STATEMENT'",
          "insert into stated values (1, 1)",
          "set session binlog_format = 'ROW'",
          "set session binlog_row_image = 'MINIMAL'",
          "update minimal set v = 2",
          "create table copy_of_fine like fine",
          "insert into copy_of_fine select * from fine",
          "insert into fine values (1, 1)");
      awaitPaused(engine, "my_pause.dropped", "it was dropped, renamed or made anew");
      awaitPaused(engine, "my_pause.swapped", "it was dropped, renamed or made anew");
      awaitPaused(engine, "my_pause.widened", "column v no longer has type int(11)");
      awaitPaused(engine, "my_pause.ranged", "a partition was dropped");
      awaitPaused(engine, "my_pause.stated", "binlog_format STATEMENT");
      awaitPaused(engine, "my_pause.minimal", "binlog_row_image is not FULL");
      captured.assertSame(engine, "fine");
      captured.assertSame(engine, "part");
      captured.assertSame(engine, "truncated");
      assertThat(View.rows(SharedFluss.tables(), new TableName("my_pause", "my_pause", "minimal")))
          .containsExactly("[1, 1, 1] x1");
    }
  }

  @Test
  void impossibleDatesGoToQuarantineAndGoodRowsArrive() {
    SOURCE.createDatabase(
        "my_zero",
        "create table t (id int primary key, da date, dt datetime(3), ts timestamp null)");
    SourceConfig config = SOURCE.config("my_zero", "my_zero");
    CapturedMariaDb captured = new CapturedMariaDb(SOURCE, config);
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      SOURCE.run(
          "my_zero",
          "set sql_mode = 'ALLOW_INVALID_DATES'",
          "insert into t values (1, '2024-01-01', '2024-01-01', '2024-01-01')",
          "insert into t values (2, '0000-00-00', null, null)",
          "insert into t values (3, null, '2024-00-15 01:02:03.5', null)",
          "insert into t values (4, null, null, '0000-00-00 00:00:00')",
          "insert into t values (5, '2024-02-31', null, null)",
          "insert into t values (6, null, null, null)");
      captured.awaitNow(engine);
      assertThat(View.rows(SharedFluss.tables(), new TableName("my_zero", "my_zero", "t")))
          .hasSize(2);
      assertThat(engine.status().tables().get(0).changes().quarantined()).isEqualTo(4);
      assertThat(engine.status().tables().get(0).quarantined()).isEqualTo(4);
      SOURCE.run(
          "my_zero",
          "delete from t where id = 5",
          "update t set da = null, dt = null, ts = null where id > 1");
      captured.assertSame(engine, "t");
      assertThat(engine.status().tables().get(0).quarantined()).isZero();
    }
  }

  @Test
  void rowsInQuarantineAreReadAgainByAnyKindOfKey() {
    SOURCE.createDatabase(
        "my_retry",
        "create table t (k1 varchar(10) character set latin1, k2 varbinary(4), k3 enum('a', 'b'),"
            + " k4 bit(3), k5 year, k6 date, k7 bigint unsigned, k8 set('x', 'y'), d date,"
            + " primary key (k1, k2, k3, k4, k5, k6, k7, k8))",
        "set names utf8mb4",
        "set sql_mode = 'ALLOW_INVALID_DATES'",
        "insert into t values"
            + " ('\u00e9', x'00ff', 'b', 5, 2024, '2024-02-29', 18446744073709551615, 'x,y', '0000-00-00'),"
            + " ('\u00e9', x'00fe', 'b', 5, 2024, '0000-00-00', 18446744073709551615, 'y', '2024-01-01')");
    SourceConfig config = SOURCE.config("my_retry", "my_retry");
    CapturedMariaDb captured = new CapturedMariaDb(SOURCE, config);
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      assertThat(engine.status().tables().get(0).quarantined()).isEqualTo(2);
      assertThat(Asked.answer("my_retry", Kind.RETRY, "my_retry.t", ""))
          .isEqualTo("written=0 gone=0 changed-meanwhile=0 still-quarantined=2");
      SOURCE.run("my_retry", "update t set d = null where k2 = x'00ff'");
      captured.awaitNow(engine);
      assertThat(engine.status().tables().get(0).quarantined()).isEqualTo(1);
    }
  }

  @Test
  void anEngineThatIsKilledInTheMiddleGoesOnWithoutLossOrGhosts() {
    SOURCE.createDatabase("my_kill", "create table t (id int primary key, v int)");
    SourceConfig config = SOURCE.config("my_kill", "my_kill");
    CapturedMariaDb captured = new CapturedMariaDb(SOURCE, config);
    for (int round = 0; round < 3; round++) {
      CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables());
      captured.awaitNow(engine);
      SOURCE.run(
          "my_kill",
          "insert into t select seq + %d, seq from seq_1_to_2000".formatted(round * 2000),
          "update t set v = v + 1 where id %% 3 = %d".formatted(round),
          "delete from t where id %% 7 = %d".formatted(round),
          "flush binary logs",
          "update t set id = -id where id % 5 = 0 and id > 0");
      engine.kill();
      SOURCE.run("my_kill", "delete from t where id %% 11 = %d".formatted(round));
    }
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.assertSame(engine, "t");
    }
  }

  @Test
  void purgedBinlogIsFineWhileCaptureRunsAndMakesTheSourceStaleAfterItWasDown() {
    SOURCE.createDatabase("my_purge", "create table t (id int primary key, v int)");
    SourceConfig config = SOURCE.config("my_purge", "my_purge");
    CapturedMariaDb captured = new CapturedMariaDb(SOURCE, config);
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      SOURCE.run("my_purge", "insert into t values (1, 1)");
      captured.assertSame(engine, "t");
      // The table is idle, other databases move the log on.
      SOURCE.run("mysql", "flush binary logs", "create database noise", "drop database noise");
      captured.awaitNow(engine);
    }
    SOURCE.purgeBinlogs();
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      SOURCE.run("my_purge", "insert into t values (2, 2)");
      captured.assertSame(engine, "t");
    }
    SOURCE.run("my_purge", "insert into t values (3, 3)", "flush binary logs");
    SOURCE.purgeBinlogs();
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables());
        CaptureProgress progress = CaptureProgress.open(SharedFluss.tables(), "my_purge")) {
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () -> {
                assertThat(engine.status().state()).isEqualTo(SourceState.STALE);
                assertThat(engine.status().reason()).contains("was removed from the server");
              });
      SOURCE.run("my_purge", "delete from t where id = 1");
      progress.requestResyncOfAll();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> engine.status().state() == SourceState.STREAMING);
      captured.assertSame(engine, "t");
    }
  }

  @Test
  void twoEnginesOfOneSourceAreToldApartAndALostConnectionIsTakenUpAgain() {
    SOURCE.createDatabase("my_two", "create table t (id int primary key)");
    SourceConfig config = SOURCE.config("my_two", "my_two");
    CapturedMariaDb captured = new CapturedMariaDb(SOURCE, config);
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      assertThatThrownBy(() -> CaptureEngine.start(config, SharedFluss.tables()))
          .hasMessageContaining("another process captures a source of this name");
      for (int i = 0; i < 2; i++) {
        SOURCE.run("my_two", "insert into t select count(*) from t");
        SOURCE.killConnectionsOf(TestMariaDb.USER);
        SOURCE.run("my_two", "insert into t select count(*) from t");
        captured.assertSame(engine, "t");
      }
      SOURCE.stop();
      SOURCE.start();
      SOURCE.run("my_two", "insert into t select count(*) from t");
      captured.assertSame(engine, "t");
    }
  }

  @Test
  void aSessionThatDiesBeforeItsFirstAcknowledgementIsGoneOnWith() {
    SOURCE.createDatabase(
        "my_early",
        "create table t (id int primary key, v int)",
        "insert into t select seq, 0 from seq_1_to_2000");
    SourceConfig config = SOURCE.config("my_early", "my_early");
    CaptureEngine.start(config, SharedFluss.tables()).kill();
    try (CaptureProgress progress = CaptureProgress.open(SharedFluss.tables(), "my_early")) {
      assertThat(progress.isStarted()).isTrue();
      assertThat(progress.offsets()).isEmpty();
    }
    SOURCE.run(
        "my_early",
        "delete from t where id % 3 = 0",
        "update t set v = 1 where id % 3 = 1",
        "flush binary logs");
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      new CapturedMariaDb(SOURCE, config).assertSame(engine, "t");
    }
  }
}
