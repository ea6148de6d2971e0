package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.fixture.SharedFluss;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(SharedFluss.class)
class CopyIT {
  @RegisterExtension static final TestSource SOURCE = TestSource.logical();

  private static final int ROWS = 120_000;

  // Random changes while chunks are read: what a chunk shows must never beat the stream.
  private static int change(Connection connection, AtomicBoolean stop, long seed) {
    Random random = new Random(seed);
    int transactions = 0;
    try (Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      while (!stop.get()) {
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
          int id = 1 + random.nextInt(ROWS + 2_000);
          switch (random.nextInt(5)) {
            case 0 -> statement.execute("delete from t where id = " + id);
            case 1 ->
                statement.execute(
                    "insert into t values (%d, repeat('n%d ', 800), 0) on conflict do nothing"
                        .formatted(id, transactions));
            case 2 ->
                statement.execute(
                    "update t set id = %d where id = %d and not exists (select from t where id = %d)"
                        .formatted(
                            ROWS * 2 + transactions * 5 + i, id, ROWS * 2 + transactions * 5 + i));
            case 3 ->
                statement.execute("update t set v = 's" + transactions + "' where id = " + id);
            default -> statement.execute("update t set n = n + 1 where id = " + id);
          }
        }
        if (random.nextInt(10) == 0) {
          connection.rollback();
        } else {
          connection.commit();
        }
        transactions++;
        // Without a pause the source would outrun capture, and the copy would end behind it.
        LockSupport.parkNanos(Duration.ofMillis(3).toNanos());
      }
      connection.commit();
      return transactions;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aCopyUnderChangesThatIsKilledAndGoesOnEqualsTheSource() throws Exception {
    SOURCE.createDatabase(
        "copied",
        "create table t (id int primary key, v text, n int not null)",
        "alter table t alter v set storage external",
        "insert into t select i, case when i % 10 = 0 then repeat('x' || i, 600) else 'v' end, 0"
            + " from generate_series(1, "
            + ROWS
            + ") i");
    SourceConfig config = SOURCE.config("copied", "copied");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    AtomicBoolean stop = new AtomicBoolean();
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("CopyIT seed=" + seed);
    CompletableFuture<Integer> changes;
    try (Connection connection = SOURCE.connect("copied");
        CaptureProgress progress = CaptureProgress.open(SharedFluss.tables(), "copied")) {
      changes = CompletableFuture.supplyAsync(() -> change(connection, stop, seed));
      long killedAt;
      try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
        await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(5))
            .until(() -> progress.tables().stream().anyMatch(t -> t.copiedRows() > 0));
        engine.kill();
        killedAt = progress.tables().get(0).copiedRows();
        assertThat(progress.tables().get(0).copied()).isFalse();
      }
      try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
        captured.awaitWhole(engine, "public.t");
        assertThat(progress.tables().get(0).copiedRows()).isGreaterThan(killedAt);
        stop.set(true);
        assertThat(changes.get()).isGreaterThan(20);
        captured.assertSame("public", "t", captured.awaitNow(engine));
        assertThat(engine.status().tables().get(0).changes().applied())
            .as("rows that were copied before the kill are not copied again")
            .isLessThan(2L * ROWS);
      }
    } finally {
      stop.set(true);
    }
  }

  @Test
  void aTableThatAppearsIsCopiedWhileTheOthersGoOn() {
    SOURCE.createDatabase(
        "later", "create table good (id int primary key)", "insert into good values (1)");
    SourceConfig config = SOURCE.config("later", "later");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      Cut first = captured.awaitNow(engine);
      SOURCE.run(
          "later",
          "create table fresh (id int primary key, v text)",
          "insert into fresh select i, 'old' from generate_series(1, 5) i",
          "insert into good values (2)");
      captured.awaitWhole(engine, "public.fresh");
      SOURCE.run("later", "insert into fresh values (6, 'new')");
      Cut cut = captured.awaitNow(engine);
      assertThat(cut.sequence()).isGreaterThan(first.sequence());
      captured.assertSame("public", "fresh", cut);
      captured.assertSame("public", "good", cut);
    }
  }
}
