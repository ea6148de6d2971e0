package io.lakestream.benchmarks.capture;

import io.lakestream.cdc.CaptureEngine;
import io.lakestream.cdc.CaptureStatus;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.system.StateBoard.TableState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Lakestream's capture. A row has arrived when a cut holds it, so when Fluss has it for good. */
final class LakestreamSubject implements Subject {
  private static final long POLL_NANOS = 2_000_000;
  private static final Duration LIMIT = Duration.ofMinutes(30);

  private final FlussTables tables;
  private SourceConfig config;
  private CaptureEngine engine;

  LakestreamSubject(String bootstrap) {
    this.tables = FlussTables.open(bootstrap);
  }

  @Override
  public void copy(SourceConfig source, long rows) {
    this.config = source;
    engine = CaptureEngine.start(source, tables);
    await(
        status ->
            status.tables().stream().allMatch(t -> t.state() == TableState.LIVE)
                && applied(status) >= rows
                && status.position().isPresent());
    awaitPosition(mark());
  }

  @Override
  public void stop() {
    engine.close();
    engine = null;
  }

  @Override
  public long drain(long changes) {
    SourcePosition end = mark();
    engine = CaptureEngine.start(config, tables);
    await(status -> applied(status) > 0);
    long first = System.nanoTime();
    awaitPosition(end);
    long nanos = System.nanoTime() - first;
    long applied = applied(engine.status());
    if (applied < changes) {
      throw new LakestreamException(
          ErrorCode.INTERNAL, "Wrong answer: %s changes of %s are in Fluss", applied, changes);
    }
    return nanos;
  }

  /**
   * Measures how long a commit takes to be in a cut.
   *
   * @return milliseconds of each probe
   */
  List<Double> lags(int probes) {
    List<Double> lags = new ArrayList<>();
    try (SourceConnection source = SourceConnection.open(config)) {
      for (int i = 0; i < probes; i++) {
        long start = System.nanoTime();
        awaitPosition(source.mark());
        lags.add((System.nanoTime() - start) / 1e6);
      }
    }
    return lags;
  }

  /** Starts again, for {@link #lags}. */
  void resume() {
    engine = CaptureEngine.start(config, tables);
    awaitPosition(mark());
  }

  @Override
  public long rows() {
    return tables.list().stream()
        .filter(live -> live.definition().name().source().equals(config.name()))
        .mapToLong(live -> tables.rowCount(live))
        .sum();
  }

  private SourcePosition mark() {
    try (SourceConnection source = SourceConnection.open(config)) {
      return source.mark();
    }
  }

  private void awaitPosition(SourcePosition position) {
    await(status -> status.position().filter(p -> p.covers(position)).isPresent());
  }

  private void await(Predicate<CaptureStatus> condition) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (true) {
      CaptureStatus status = engine.status();
      if (condition.test(status)) {
        return;
      }
      if (status.failure().isPresent()) {
        throw status.failure().get();
      }
      if (System.nanoTime() > deadline) {
        throw new LakestreamException(
            ErrorCode.TIMEOUT, "Capture is not through after %s: %s", LIMIT, status);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private static long applied(CaptureStatus status) {
    return status.tables().stream().mapToLong(table -> table.changes().applied()).sum();
  }

  @Override
  public void end() {
    if (engine != null) {
      engine.close();
    }
    tables.close();
  }
}
