package io.lakestream.cdc;

import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.source.Source;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.cdc.source.Sources;
import io.lakestream.cdc.write.TableChanges;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.system.StateBoard.SourceState;
import io.lakestream.tables.system.StateBoard.TableState;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Captures one database into Fluss: the front door of this module.
 *
 * <p>It runs one {@link CaptureSession} after the other. A session that fails is followed by
 * another after a pause that grows, until one makes progress again; what cannot pass, or does not
 * for an hour, ends in {@link #failure} and the state FAILED. Safe for many threads.
 */
public final class CaptureEngine implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CaptureEngine.class);
  private static final Duration RESYNC_POLL = Duration.ofSeconds(1);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);
  private static final Duration GIVE_UP_AFTER = Duration.ofHours(1);
  private static final int GIVE_UP_AFTER_INTERNAL = 5;
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(5);

  private final SourceConfig config;
  private final Source source;
  private final FlussTables tables;
  private final CaptureProgress progress;
  private final CaptureState state;
  private final CaptureOptions options;
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Map<String, TableChanges> pastChanges = new HashMap<>();
  private Map<String, Long> lastQuarantined = Map.of();
  private CaptureSession session;
  private SourceWatch watch;
  private boolean killed;

  private CaptureEngine(
      SourceConfig config,
      FlussTables tables,
      CaptureProgress progress,
      CaptureState state,
      CaptureOptions options) {
    this.options = options;
    this.config = config;
    this.source = Sources.of(config);
    this.tables = tables;
    this.progress = progress;
    this.state = state;
    this.thread = new Thread(this::supervise, "lakestream-capture-" + config.name());
  }

  /**
   * Checks the source, registers its tables in Fluss, and captures in the background from then on.
   *
   * @param tables open until this engine is closed
   *     <p>Where the source has lost changes since the last session, the engine runs and waits, in
   *     the state STALE, until a new copy is asked for.
   * @throws LakestreamException with the way out, where the source or every table is refused; then
   *     nothing runs
   */
  public static CaptureEngine start(SourceConfig config, FlussTables tables) {
    return start(config, tables, CaptureOptions.DEFAULT);
  }

  /** The same with options. */
  public static CaptureEngine start(
      SourceConfig config, FlussTables tables, CaptureOptions options) {
    CaptureProgress progress = CaptureProgress.open(tables, config.name());
    CaptureState state = CaptureState.open(config, tables, options);
    CaptureEngine engine = new CaptureEngine(config, tables, progress, state, options);
    try {
      state.source(SourceState.STARTING);
      engine.openSession();
    } catch (LakestreamException e) {
      // Lost changes are told and waited with: the user may ask for a new copy while this runs.
      if (e.code() != ErrorCode.SOURCE_CHANGES_LOST) {
        state.failed(e);
        state.close();
        progress.close();
        throw e;
      }
    }
    engine.thread.start();
    return engine;
  }

  /** What the engine is doing now. */
  public CaptureStatus status() {
    Map<String, TableChanges> changes;
    Map<String, Long> quarantined;
    synchronized (this) {
      changes = new HashMap<>(pastChanges);
      if (session != null) {
        add(changes, session.changes());
        lastQuarantined = session.quarantined();
      }
      quarantined = lastQuarantined;
    }
    return state.status(changes, quarantined);
  }

  /** Why the engine gave up; empty while it runs. */
  public Optional<LakestreamException> failure() {
    return state.failure();
  }

  private void openSession() {
    state.sessionOpened();
    TableRegistration.Start start;
    try (SourceConnection connection = source.connect()) {
      start = new TableRegistration(source, connection, tables, progress, state).register();
    }
    CaptureSession opened = new CaptureSession(source, tables, progress, state, start, options);
    synchronized (this) {
      session = opened;
      watch =
          SourceWatch.start(
              config, state, progress, opened.tables(), start, opened::requestRestart);
    }
    state.source(start.barrier().isEmpty() ? SourceState.SNAPSHOT : SourceState.CATCHING_UP);
  }

  private void supervise() {
    long failingSince = 0;
    long cutsBefore = -1;
    int failures = 0;
    while (true) {
      SessionEnd end = runSession();
      if (closing.getCount() == 0) {
        return;
      }
      if (end.restart()) {
        continue;
      }
      if (end.failure().filter(e -> e.code() == ErrorCode.SOURCE_CHANGES_LOST).isPresent()) {
        if (!awaitResync(end.failure().get())) {
          return;
        }
        continue;
      }
      if (state.cuts() != cutsBefore) {
        cutsBefore = state.cuts();
        failures = 0;
        failingSince = System.nanoTime();
      }
      failures++;
      LakestreamException failure = end.failure().orElseGet(this::endedByItself);
      boolean tooOften =
          System.nanoTime() - failingSince > GIVE_UP_AFTER.toNanos()
              || (failure.code() == ErrorCode.INTERNAL && failures >= GIVE_UP_AFTER_INTERNAL);
      if (tooOften || !SessionFailures.mayPass(failure)) {
        state.failed(failure);
        return;
      }
      if (pauseAfter(failure, failures)) {
        return;
      }
    }
  }

  /** Waits until somebody asks for a new copy of the source; false where the engine is closed. */
  private boolean awaitResync(LakestreamException loss) {
    LOG.error("Lost changes: source={} reason={}", config.name(), loss.getMessage());
    progress.tables().forEach(t -> state.table(t.display(), TableState.STALE, loss.getMessage()));
    state.stale(loss.getMessage());
    try {
      while (!progress.isResyncOfAllRequested()) {
        if (closing.await(RESYNC_POLL.toMillis(), TimeUnit.MILLISECONDS)) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private LakestreamException endedByItself() {
    return new LakestreamException(
        ErrorCode.INTERNAL, "Cannot capture source %s: Debezium stopped by itself", config.name());
  }

  private record SessionEnd(Optional<LakestreamException> failure, boolean restart) {}

  /** Runs the open session, or opens one. */
  private SessionEnd runSession() {
    try {
      CaptureSession current;
      synchronized (this) {
        current = session;
      }
      if (current == null) {
        openSession();
        synchronized (this) {
          current = session;
        }
      }
      if (closing.getCount() > 0) {
        current.run();
      }
      return new SessionEnd(
          current.failure().map(failure -> SessionFailures.of(config, failure)),
          current.failure().isEmpty() && current.isRestartRequested());
    } catch (RuntimeException e) {
      return new SessionEnd(Optional.of(SessionFailures.of(config, e)), false);
    } finally {
      closeSession();
    }
  }

  /** Waits before the next session; true where the engine is closed meanwhile. */
  private boolean pauseAfter(LakestreamException failure, int failures) {
    long pauseMs =
        Math.min(LONGEST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << Math.min(failures - 1, 10));
    LOG.warn(
        "Capture session failed: source={} code={} failures={} nextInMs={}",
        config.name(),
        failure.code(),
        failures,
        pauseMs,
        failure);
    state.sessionFailed();
    try {
      state.retrying(failure.getMessage());
      return closing.await(pauseMs, TimeUnit.MILLISECONDS);
    } catch (LakestreamException e) {
      // Fluss may be what is down: the state in memory is right, the board follows later.
      LOG.warn("State is not on the board: source={} reason={}", config.name(), e.getMessage());
      return closing.getCount() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private void closeSession() {
    CaptureSession closed;
    SourceWatch watchClosed;
    synchronized (this) {
      closed = session;
      watchClosed = watch;
      session = null;
      watch = null;
      if (closed != null) {
        add(pastChanges, closed.changes());
      }
    }
    if (watchClosed != null) {
      watchClosed.close();
    }
    if (closed != null) {
      closed.close();
    }
  }

  private static void add(Map<String, TableChanges> sums, Map<String, TableChanges> more) {
    more.forEach((table, changes) -> sums.merge(table, changes, TableChanges::plus));
  }

  /** Stops cleanly: flushes, cuts at the last end of a transaction, acknowledges. */
  @Override
  public void close() {
    CaptureSession current;
    synchronized (this) {
      if (closing.getCount() == 0) {
        return;
      }
      closing.countDown();
      current = session;
    }
    if (current != null) {
      current.stop();
    }
    awaitThread();
    if (state.failure().isEmpty()) {
      state.stopped();
    }
    state.close();
    progress.close();
  }

  /**
   * Stops dead, as kill -9 would: without flush, cut, acknowledgement or a state on the board. For
   * tests.
   */
  public void kill() {
    CaptureSession current;
    synchronized (this) {
      if (closing.getCount() == 0) {
        return;
      }
      closing.countDown();
      killed = true;
      current = session;
    }
    if (current != null) {
      current.kill();
    }
    awaitThread();
    state.close();
    progress.close();
  }

  private void awaitThread() {
    try {
      thread.join(CLOSE_PATIENCE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      LOG.warn("Capture did not stop in time: source={} killed={}", config.name(), killed);
    }
  }
}
