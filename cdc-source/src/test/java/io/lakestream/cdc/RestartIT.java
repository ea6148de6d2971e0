package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.CutLog;
import io.lakestream.tables.system.StateBoard.SourceState;
import io.lakestream.tables.system.StateBoard.TableState;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(SharedFluss.class)
class RestartIT {
  @RegisterExtension static final TestSource SOURCE = TestSource.logical();

  private static final long SEED = 4711;
  private static final int ACCOUNTS = 20;
  private static final String[] BANK = {
    "create table checking (id int primary key, balance numeric(12, 2) not null, history text)",
    "create table savings (id uuid primary key, number int unique, balance numeric(12, 2) not null)",
    "alter table checking alter column history set storage external",
    "insert into checking select g, 100, repeat('history ' || g, 400) from generate_series(1, 20) g",
    "insert into savings select gen_random_uuid(), g, 100 from generate_series(1, 20) g"
  };

  /** Moves money, rows and keys about until it is told to stop. */
  private static final class Workload implements AutoCloseable {
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread thread;

    Workload(String database, long seed) {
      thread = new Thread(() -> run(database, new Random(seed)), "workload");
      thread.start();
    }

    private void run(String database, Random random) {
      try (Connection connection = SOURCE.connect(database);
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        while (!stopped.get()) {
          transfer(statement, random);
          connection.commit();
        }
      } catch (SQLException e) {
        failure.set(e);
      }
    }

    private static void transfer(Statement statement, Random random) throws SQLException {
      int from = 1 + random.nextInt(ACCOUNTS);
      int to = 1 + random.nextInt(ACCOUNTS);
      String amount = BigDecimal.valueOf(1 + random.nextInt(5000), 2).toPlainString();
      statement.execute(
          "update checking set balance = balance - " + amount + " where abs(id) = " + from);
      switch (random.nextInt(4)) {
        case 0 -> statement.execute("update checking set id = -id where abs(id) = " + from);
        case 1 ->
            statement.execute(
                "with gone as (delete from savings where number = %d returning *) insert into savings select gen_random_uuid(), number, balance from gone"
                    .formatted(to));
        case 2 ->
            statement.execute(
                "update checking set history = 'short' || random() where abs(id) = " + to);
        default -> {}
      }
      statement.execute(
          "update savings set balance = balance + " + amount + " where number = " + to);
    }

    void check() {
      assertThat(failure.get()).isNull();
    }

    @Override
    public void close() {
      stopped.set(true);
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      check();
    }
  }

  private static BigDecimal sum(SourceConfig config, String table, int column, Cut cut) {
    return View.rowsAt(SharedFluss.tables(), new TableName(config.name(), "public", table), cut)
        .stream()
        .map(row -> new BigDecimal(row.substring(1).split("[,\\]]", -1)[column].strip()))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  private static List<Cut> cuts(SourceConfig config) {
    FlussTables tables = SharedFluss.tables();
    try (CutLog log = CutLog.open(tables, config.name())) {
      List<Cut> cuts = new ArrayList<>();
      log.latest().ifPresent(cuts::add);
      for (int i = 0; i < 200 && !cuts.isEmpty(); i++) {
        Cut oldest = cuts.get(cuts.size() - 1);
        var before =
            log.latestAtOrBefore(
                io.lakestream.tables.change.SourcePosition.ofLsn(oldest.position().ordinal() - 1));
        if (before.isEmpty()) {
          break;
        }
        cuts.add(before.get());
      }
      return cuts;
    }
  }

  // Cuts from while the tables were copied do not name them.
  private static void assertWholeTransactions(SourceConfig config, List<Cut> cuts) {
    List<Long> ids =
        SharedFluss.tables().list().stream()
            .filter(live -> live.definition().name().source().equals(config.name()))
            .map(LiveTable::tableId)
            .toList();
    List<Cut> whole = cuts.stream().filter(cut -> ids.stream().allMatch(cut::covers)).toList();
    assertThat(whole).hasSizeGreaterThan(3);
    for (Cut cut : whole) {
      assertThat(sum(config, "checking", 1, cut).add(sum(config, "savings", 2, cut)))
          .as("cut %s at %s", cut.sequence(), cut.position())
          .isEqualByComparingTo("4000");
    }
  }

  @Test
  void everyCutHoldsWholeTransactionsWhileTransfersRun() {
    SOURCE.createDatabase("bank", BANK);
    SourceConfig config = SOURCE.config("bank", "bank");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      try (Workload workload = new Workload("bank", SEED)) {
        for (int i = 0; i < 5; i++) {
          captured.awaitNow(engine);
        }
        workload.check();
      }
      Cut cut = captured.awaitNow(engine);
      captured.assertSame("public", "checking", cut);
      captured.assertSame("public", "savings", cut);
    }
    List<Cut> cuts = cuts(config);
    assertThat(cuts).hasSizeGreaterThan(5);
    assertWholeTransactions(config, cuts.subList(0, Math.min(cuts.size(), 40)));
  }

  @Test
  void aKilledEngineLosesNothingAndItsSuccessorsCutsStayWhole() {
    SOURCE.createDatabase("killed", BANK);
    SourceConfig config = SOURCE.config("killed", "killed");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    Random random = new Random(SEED);
    try (Workload workload = new Workload("killed", SEED)) {
      for (int round = 0; round < 5; round++) {
        CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables());
        captured.awaitNow(engine);
        assertThat(engine.status().state()).isEqualTo(SourceState.STREAMING);
        long until = System.nanoTime() + random.nextInt(700) * 1_000_000L;
        await().until(() -> System.nanoTime() > until);
        engine.kill();
      }
      workload.check();
    }
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      Cut cut = captured.awaitNow(engine);
      captured.assertSame("public", "checking", cut);
      captured.assertSame("public", "savings", cut);
    }
    List<Cut> cuts = cuts(config);
    for (int i = 1; i < cuts.size(); i++) {
      assertThat(cuts.get(i - 1).sequence()).isGreaterThan(cuts.get(i).sequence());
    }
    assertWholeTransactions(config, cuts.subList(0, Math.min(cuts.size(), 60)));
  }

  @Test
  void aCleanRestartGoesOnWithoutANewCopy() {
    SOURCE.createDatabase("clean", "create table t (id int primary key, v text)");
    SOURCE.run("clean", "insert into t select g, 'v' from generate_series(1, 500) g");
    SourceConfig config = SOURCE.config("clean", "clean");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    long closingSince;
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      closingSince = System.nanoTime();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - closingSince))
        .isLessThan(Duration.ofSeconds(5));
    SOURCE.run("clean", "update t set v = 'w' where id = 7");
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.assertSame("public", "t", captured.awaitNow(engine));
      assertThat(engine.status().tables().get(0).changes().applied()).isLessThan(10);
    }
  }

  @Test
  void anInterruptedCopyStartsOverAndLeavesNoGhosts() {
    SOURCE.createDatabase("ghosts", "create table t (id int primary key, v text)");
    SOURCE.run(
        "ghosts", "insert into t select g, repeat('v', 200) from generate_series(1, 60000) g");
    SourceConfig config = SOURCE.config("ghosts", "ghosts");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    CaptureEngine first = CaptureEngine.start(config, SharedFluss.tables());
    await()
        .pollInterval(Duration.ofMillis(5))
        .until(() -> first.status().tables().get(0).changes().upserts() > 0);
    first.kill();
    assertThat(first.status().state()).isEqualTo(SourceState.SNAPSHOT);
    SOURCE.run("ghosts", "delete from t where id % 2 = 0");
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.assertSame("public", "t", captured.awaitNow(engine));
    }
  }

  @Test
  void aSlotThatIsGoneStopsTheSourceBeforeAnythingIsWrittenUntilItIsCopiedAnew() {
    SOURCE.createDatabase(
        "lost", "create table t (id int primary key)", "insert into t values (1)");
    SourceConfig config = SOURCE.config("lost", "lost");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    TableName table = new TableName("lost", "public", "t");
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
    }
    SOURCE.run(
        "lost", "select pg_drop_replication_slot('lakestream_lost')", "insert into t values (2)");
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      awaitStale(engine, "replication slot lakestream_lost is gone");
    }
    SOURCE.run(
        "lost",
        "select pg_create_logical_replication_slot('lakestream_lost', 'pgoutput')",
        "delete from t where id = 1");
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables());
        CaptureProgress progress = CaptureProgress.open(SharedFluss.tables(), "lost")) {
      awaitStale(engine, "captured is only what lies before");
      assertThat(View.rows(SharedFluss.tables(), table)).containsExactly("[1] x1");

      progress.requestResyncOfAll();
      captured.awaitWhole(engine, "public.t");
      captured.assertSame("public", "t", captured.awaitNow(engine));
      assertThat(View.rows(SharedFluss.tables(), table)).containsExactly("[2] x1");
      assertThat(engine.status().state()).isEqualTo(SourceState.STREAMING);
    }
  }

  private static void awaitStale(CaptureEngine engine, String reason) {
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () -> {
              assertThat(engine.status().state()).isEqualTo(SourceState.STALE);
              assertThat(engine.status().reason())
                  .contains(reason)
                  .contains("lakestream cdc resync --source lost --all");
              assertThat(engine.status().tables())
                  .singleElement()
                  .satisfies(t -> assertThat(t.state()).isEqualTo(TableState.STALE));
            });
    assertThat(engine.failure()).isEmpty();
  }

  @Test
  void aLostConnectionIsTakenUpAgain() {
    SOURCE.createDatabase("broken", "create table t (id int primary key)");
    SourceConfig config = SOURCE.config("broken", "broken");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      for (int i = 0; i < 2; i++) {
        SOURCE.run(
            "broken",
            "insert into t select coalesce(max(id), 0) + 1 from t",
            "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'broken' and pid <> pg_backend_pid()",
            "insert into t select coalesce(max(id), 0) + 1 from t");
        captured.assertSame("public", "t", captured.awaitNow(engine));
      }
      assertThat(engine.status().state()).isEqualTo(SourceState.STREAMING);
    }
  }
}
