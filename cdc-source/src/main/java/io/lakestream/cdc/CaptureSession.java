package io.lakestream.cdc;

import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import io.lakestream.cdc.decode.CaptureContext;
import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.source.Source;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.cdc.write.BatchWriter;
import io.lakestream.cdc.write.CaptureTables;
import io.lakestream.cdc.write.QuarantineLedger;
import io.lakestream.cdc.write.TableChangedException;
import io.lakestream.cdc.write.TableChanges;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.system.CutLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of Debezium, from its start until it stops or fails. What fails is not mended here: the
 * next session begins where this one acknowledged last.
 */
final class CaptureSession
    implements DebeziumEngine.ChangeConsumer<RecordChangeEvent<SourceRecord>>, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CaptureSession.class);
  private static final Duration ACKNOWLEDGE_EVERY = Duration.ofSeconds(1);
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(4);
  private static final Duration STOP_PAUSE = Duration.ofMillis(20);

  private final CaptureProgress progress;
  private final CaptureState state;
  private final CaptureTables tables;
  private final CutLog cuts;
  private final QuarantineLedger quarantine;
  private final RequestDesk requests;
  private final SourceRowLookup lookup;
  private final CaptureContext context;
  private final BatchWriter writer;
  private final TableRegistration.Start start;
  private final TableCopier copier;
  private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
  private final CompletableFuture<Optional<Throwable>> ended = new CompletableFuture<>();
  // Held while a batch is written, so that nobody stops Debezium in the middle of one.
  private final ReentrantLock batch = new ReentrantLock();
  private volatile boolean stopping;
  private volatile boolean restart;
  private final AtomicReference<RuntimeException> copyFailure = new AtomicReference<>();
  private final Acknowledgements<RecordChangeEvent<SourceRecord>> acknowledgements =
      new Acknowledgements<>();

  CaptureSession(
      Source source,
      FlussTables fluss,
      CaptureProgress progress,
      CaptureState state,
      TableRegistration.Start start,
      CaptureOptions options) {
    this.progress = progress;
    this.state = state;
    this.lookup = new SourceRowLookup(source, position -> this.barrier(position));
    this.tables = new CaptureTables(fluss, progress, lookup::current);
    List<SourceTable> sourceTables = new ArrayList<>();
    for (TableRegistration.Registered registered : start.tables()) {
      tables.add(
          registered.table(),
          registered.live(),
          lookup,
          new CaptureTables.Before(
              !registered.captured().copied(), registered.since(), registered.added()));
      sourceTables.add(registered.table());
    }
    this.start = start;
    this.copier = new TableCopier(source, progress, state, this::writeChunk, this::copyFailed);
    this.cuts = CutLog.open(fluss, source.config().name());
    this.quarantine = RowsBesideStream.open(fluss, progress, start);
    this.writer =
        new BatchWriter(
            source,
            new BatchWriter.Stores(cuts, quarantine, options.quarantineLimits(), tables, state),
            start.barrier());
    this.context = CaptureContext.open(progress);
    this.engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(source.streamSettings(sourceTables, progress.place(), context))
            .using(CaptureSession.class.getClassLoader())
            .using((records, since) -> since.compareTo(ACKNOWLEDGE_EVERY) >= 0)
            .using(
                (success, message, error) ->
                    ended.complete(success ? Optional.empty() : Optional.of(cause(message, error))))
            .notifying(this)
            .build();
    this.requests =
        RequestDesk.open(
            source, fluss, new RowsBesideStream(batch, () -> stopping, writer, quarantine));
  }

  private void barrier(SourcePosition position) {
    writer.barrier(position);
  }

  private boolean writeChunk(SourceTable table, TableCopy.Chunk chunk) {
    batch.lock();
    try {
      if (stopping) {
        return false;
      }
      writer.write(table.display(), chunk);
      return true;
    } finally {
      batch.unlock();
    }
  }

  private void copyFailed(RuntimeException e) {
    copyFailure.compareAndSet(null, e);
    stop();
  }

  private static Throwable cause(String message, Throwable error) {
    return error == null ? new IllegalStateException(message) : error;
  }

  /** Runs until Debezium stops. */
  void run() {
    for (TableRegistration.Registered registered : start.tables()) {
      if (!registered.captured().copied()) {
        copier.copy(registered.table(), registered.captured());
      }
    }
    engine.run();
  }

  /** Why the session ended; empty where it was asked to. Done once {@link #run} returns. */
  Optional<Throwable> failure() {
    Throwable copy = copyFailure.get();
    if (restart) {
      // Debezium may stumble when it is stopped in the middle of a poll.
      ended.getNow(Optional.empty()).ifPresent(e -> LOG.debug("Stopped for a restart", e));
      return Optional.empty();
    }
    return copy == null ? ended.getNow(Optional.empty()) : Optional.of(copy);
  }

  @Override
  public void handleBatch(
      List<RecordChangeEvent<SourceRecord>> events,
      DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
      throws InterruptedException {
    batch.lockInterruptibly();
    try {
      if (stopping) {
        return;
      }
      List<SourceRecord> records = new ArrayList<>(events.size());
      for (RecordChangeEvent<SourceRecord> event : events) {
        records.add(event.record());
      }
      state.received(records.size());
      Optional<SourceRecord> end = writer.write(records);
      // Only ends of transactions are acknowledged, so a restart reads whole transactions.
      acknowledgements.add(
          end.map(record -> events.get(records.lastIndexOf(record))), writer.takeMarks());
      Optional<RecordChangeEvent<SourceRecord>> acknowledged =
          acknowledgements.take(writer.copiesSeen());
      if (acknowledged.isPresent()) {
        committer.markProcessed(acknowledged.get());
        committer.markBatchFinished();
      }
    } catch (TableChangedException e) {
      LOG.info("The session ends, to go on with a table as it is now: reason={}", e.getMessage());
      stopping = true;
      // Debezium waits for this very thread when it is stopped.
      Thread restarter = new Thread(this::requestRestart, "lakestream-restart");
      restarter.setDaemon(true);
      restarter.start();
    } finally {
      batch.unlock();
    }
  }

  CaptureTables tables() {
    return tables;
  }

  Map<String, TableChanges> changes() {
    return tables.changes();
  }

  /** Stops, so that the next session may begin with other tables. */
  void requestRestart() {
    restart = true;
    stop();
  }

  boolean isRestartRequested() {
    return restart;
  }

  /** Lets the batch that is being written finish, acknowledges, and stops Debezium. */
  void stop() {
    long deadline = System.nanoTime() + STOP_PATIENCE.toNanos();
    boolean idle = false;
    try {
      idle = batch.tryLock(STOP_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    stopping = true;
    try {
      stopEngine(deadline);
    } finally {
      if (idle) {
        batch.unlock();
      }
    }
  }

  /** Stops dead: nothing is flushed, cut or acknowledged any more. */
  void kill() {
    progress.freeze();
    writer.kill();
    stopping = true;
    copier.close();
    stopEngine(System.nanoTime() + STOP_PATIENCE.toNanos());
  }

  // Debezium refuses to be closed while it starts its task, which takes a moment.
  private void stopEngine(long deadline) {
    while (!ended.isDone()) {
      try {
        engine.close();
        return;
      } catch (IllegalStateException e) {
        if (System.nanoTime() > deadline) {
          LOG.warn("Debezium did not stop in time: reason={}", e.getMessage());
          return;
        }
        LockSupport.parkNanos(STOP_PAUSE.toNanos());
      } catch (IOException e) {
        LOG.warn("Debezium stopped with an error", e);
        return;
      }
    }
  }

  /** Rows in quarantine by {@code <schema>.<table>}. Any thread. */
  Map<String, Long> quarantined() {
    return quarantine.counts();
  }

  @Override
  public void close() {
    requests.close();
    copier.close();
    context.close();
    tables.close();
    cuts.close();
    quarantine.close();
    lookup.close();
  }
}
