package io.lakestream.cdc;

import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.source.Discovery;
import io.lakestream.cdc.source.Refusal;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.write.CaptureTables;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.system.StateBoard.TableState;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after a source beside its stream, on a thread and a connection of its own: emits the
 * heartbeat that moves an idle source on, and notices in the catalog what the stream does not tell,
 * such as a table that was dropped or appeared.
 */
final class SourceWatch implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SourceWatch.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);

  private final SourceConfig config;
  private final CaptureState state;
  private final CaptureProgress progress;
  private final CaptureTables tables;
  private final Map<String, String> fingerprints;
  private final Set<String> waiting;
  private final Runnable restart;
  private final ScheduledExecutorService thread;
  private SourceConnection source;
  private long lookedAt = System.nanoTime();
  private boolean wasLost;

  private SourceWatch(
      SourceConfig config,
      CaptureState state,
      CaptureProgress progress,
      CaptureTables tables,
      Map<String, String> fingerprints,
      Set<String> waiting,
      Runnable restart) {
    this.waiting = new HashSet<>(waiting);
    this.config = config;
    this.state = state;
    this.progress = progress;
    this.restart = restart;
    this.tables = tables;
    this.fingerprints = fingerprints;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread created = new Thread(task, "lakestream-watch-" + config.name());
              created.setDaemon(true);
              return created;
            });
  }

  /**
   * Starts to look.
   *
   * @param restart called where the tables of the session are no longer the right ones
   */
  static SourceWatch start(
      SourceConfig config,
      CaptureState state,
      CaptureProgress progress,
      CaptureTables tables,
      TableRegistration.Start start,
      Runnable restart) {
    Map<String, String> fingerprints =
        start.tables().stream()
            .map(TableRegistration.Registered::table)
            .collect(Collectors.toMap(SourceTable::display, SourceTable::fingerprint));
    SourceWatch watch =
        new SourceWatch(config, state, progress, tables, fingerprints, start.waiting(), restart);
    var unused =
        watch.thread.scheduleWithFixedDelay(
            watch::beat, 0, config.heartbeat().toMillis(), TimeUnit.MILLISECONDS);
    return watch;
  }

  // An exception would end the schedule, and the session itself notices a lost source.
  private void beat() {
    try {
      if (source == null) {
        source = SourceConnection.open(config);
      }
      source.mark();
      state.position().ifPresent(position -> state.lagBytes(source.bytesSince(position)));
      if (System.nanoTime() - lookedAt > LOOK_EVERY.toNanos()) {
        lookedAt = System.nanoTime();
        look(source.discover());
      }
      wasLost = false;
    } catch (LakestreamException e) {
      if (!wasLost) {
        LOG.warn("Heartbeat failed: source={} reason={}", config.name(), e.getMessage());
      }
      wasLost = true;
      disconnect();
    }
  }

  private void look(Discovery discovery) {
    Map<String, SourceTable> found =
        discovery.tables().stream()
            .collect(Collectors.toMap(SourceTable::display, Function.identity()));
    Map<String, String> refused =
        discovery.refusals().stream().collect(Collectors.toMap(Refusal::display, Refusal::reason));
    boolean changed = false;
    for (Map.Entry<String, String> captured : fingerprints.entrySet()) {
      String display = captured.getKey();
      SourceTable now = found.get(display);
      if (now == null) {
        gone(display, refused.get(display));
      } else if (!now.fingerprint().equals(captured.getValue())) {
        changed |= change(display);
      }
    }
    boolean appeared =
        found.keySet().stream().anyMatch(name -> !state.knows(name) || waiting.contains(name));
    if (changed || appeared || isResyncRequested(found.keySet())) {
      LOG.info(
          "Tables to copy: source={} changed={} appeared={}", config.name(), changed, appeared);
      restart.run();
      return;
    }
    discovery.refusals().stream()
        .filter(refusal -> !state.knows(refusal.display()))
        .forEach(r -> state.table(r.display(), TableState.REFUSED, r.reason()));
  }

  private boolean isResyncRequested(Set<String> names) {
    return progress.isResyncOfAllRequested()
        || names.stream().anyMatch(progress::isResyncRequested);
  }

  private void gone(String display, String refusal) {
    String why =
        refusal == null
            ? "it was dropped or renamed in the source"
            : "it can no longer be captured as it is (" + refusal + ")";
    pause(display, why);
    if (config.schemaChanges().areFollowed(display)) {
      waiting.add(display);
    }
  }

  /** True where the next session has to copy the table anew. */
  private boolean change(String display) {
    String why = "its columns or its key changed in the source";
    if (!config.schemaChanges().areFollowed(display)) {
      pause(display, why);
      return false;
    }
    if (!tables.pauseReason(display).isEmpty() && !waiting.contains(display)) {
      return false; // it waits for somebody to look
    }
    tables.change(display, why);
    return true;
  }

  private void pause(String table, String why) {
    if (tables.pause(table, why, why)) {
      state.table(table, TableState.PAUSED, tables.pauseReason(table));
    }
  }

  private void disconnect() {
    SourceConnection old = source;
    source = null;
    if (old != null) {
      try {
        old.close();
      } catch (LakestreamException e) {
        LOG.debug("Closed a lost connection: source={}", config.name(), e);
      }
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(2, TimeUnit.SECONDS)) {
        LOG.warn("Heartbeat did not stop in time: source={}", config.name());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    disconnect();
  }
}
