package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lakestream.cdc.postgres.PostgresConnection;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.fixture.SharedFluss;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How long a commit takes to be durable in a cut, on this machine and whatever else runs on it. */
@ExtendWith(SharedFluss.class)
class CaptureLatencyIT {
  @RegisterExtension static final TestSource SOURCE = TestSource.logical();

  private static final int PER_SECOND = 200;
  private static final int SAMPLES = 100;

  @Test
  void aCommitIsInACutSoonAt200TransactionsPerSecond() throws Exception {
    SOURCE.createDatabase("fast", "create table t (id bigserial primary key, v int, w text)");
    SourceConfig config = SOURCE.config("fast", "fast");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    ScheduledExecutorService load = Executors.newSingleThreadScheduledExecutor();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables());
        Connection connection = SOURCE.connect("fast");
        Statement statement = connection.createStatement();
        PostgresConnection source = PostgresConnection.open(config)) {
      captured.awaitNow(engine);
      var unused =
          load.scheduleAtFixedRate(
              () -> insert(statement, failure), 0, 1_000_000 / PER_SECOND, TimeUnit.MICROSECONDS);
      List<Long> latenciesMs = new ArrayList<>();
      for (int i = 0; i < SAMPLES; i++) {
        long start = System.nanoTime();
        var position = source.mark();
        await()
            .pollDelay(Duration.ZERO)
            .pollInterval(Duration.ofMillis(2))
            .until(() -> engine.status().position().filter(p -> p.covers(position)).isPresent());
        latenciesMs.add(Duration.ofNanos(System.nanoTime() - start).toMillis());
      }
      assertThat(failure.get()).isNull();
      Collections.sort(latenciesMs);
      long p95 = latenciesMs.get(SAMPLES * 95 / 100);
      System.out.printf(
          "commit to cut: p50=%d ms p95=%d ms max=%d ms%n",
          latenciesMs.get(SAMPLES / 2), p95, latenciesMs.get(SAMPLES - 1));
      // Far above what an idle machine needs: it finds a wait that should not be there.
      assertThat(p95).isLessThan(5_000);
    } finally {
      load.shutdownNow();
      assertThat(load.awaitTermination(5, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static void insert(Statement statement, AtomicReference<Throwable> failure) {
    try {
      statement.execute("insert into t (v, w) values (1, 'some text')");
    } catch (SQLException e) {
      failure.set(e);
    }
  }
}
