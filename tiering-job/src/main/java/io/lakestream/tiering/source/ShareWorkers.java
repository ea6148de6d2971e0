package io.lakestream.tiering.source;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.lake.LakeTables;
import io.lakestream.tiering.TieringConfig;
import io.lakestream.tiering.index.KeyIndex;
import io.lakestream.tiering.source.TieringEvents.ShareFailed;
import io.lakestream.tiering.source.TieringEvents.ShareWritten;
import io.lakestream.tiering.write.RoundWork;
import io.lakestream.tiering.write.TableWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.util.concurrent.ExecutorThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that write shares of rounds for one reader, with its connections and its key index.
 *
 * <p>The shares of one table are written one after the other, those of different tables side by
 * side in a few threads: a table that waits for its log does not hold up the others.
 */
final class ShareWorkers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShareWorkers.class);
  private static final int THREADS = 3;
  private static final long WINDOW_BYTES_MAX = 24L << 20;
  private static final long CLOSE_PATIENCE_S = 8;

  /** One table's shares, in order. */
  private static final class Lane {
    private CompletableFuture<Void> tail = CompletableFuture.completedFuture(null);
    private volatile String current = "";
    private TableWriter writer; // opened and used by the tail's thread only
  }

  private final TieringConfig config;
  private final Consumer<SourceEvent> events;
  private final Consumer<Throwable> fatal;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, new ExecutorThreadFactory("lakestream-tiering-writer"));
  private final Map<Long, Lane> lanes = new HashMap<>();
  private volatile boolean closed;
  // Opened by the first share.
  private FlussLease fluss;
  private LakeTables lake;
  private KeyIndex keys;

  /**
   * Starts nothing yet.
   *
   * @param events takes what is for the enumerator, from any thread
   * @param fatal takes what must fail the task, from any thread
   */
  ShareWorkers(TieringConfig config, Consumer<SourceEvent> events, Consumer<Throwable> fatal) {
    this.config = config;
    this.events = events;
    this.fatal = fatal;
  }

  /** Writes a share after those of the same table before it. */
  void submit(RoundWork work) {
    Lane lane = lanes.computeIfAbsent(work.tableId(), id -> new Lane());
    lane.current = work.roundId();
    lane.tail = lane.tail.thenRunAsync(() -> write(lane, work), threads);
  }

  /** A round has ended: stops its share where it is still under way. */
  void end(long tableId, String roundId) {
    Lane lane = lanes.get(tableId);
    if (lane != null && lane.current.equals(roundId)) {
      lane.current = "";
    }
  }

  /** Forgets a table that is gone. */
  void forget(long tableId) {
    Lane lane = lanes.remove(tableId);
    if (lane != null) {
      lane.current = "";
      lane.tail = lane.tail.thenRunAsync(() -> closeWriter(lane), threads);
    }
  }

  private void write(Lane lane, RoundWork work) {
    if (closed || !lane.current.equals(work.roundId())) {
      return; // given up before it began
    }
    try {
      open();
      if (lane.writer != null && !lane.writer.fits(work)) {
        closeWriter(lane);
      }
      if (lane.writer == null) {
        lane.writer = TableWriter.open(work, fluss.tables(), lake, keys, WINDOW_BYTES_MAX);
      }
      var files = lane.writer.write(work, () -> closed || !lane.current.equals(work.roundId()));
      events.accept(new ShareWritten(work.tableId(), work.roundId(), files));
    } catch (LakestreamException e) {
      fail(work, e.code(), e);
    } catch (RuntimeException e) {
      fail(work, ErrorCode.LAKE_FAILED, e);
    } catch (Error e) {
      fatal.accept(e);
      throw e;
    }
  }

  // The table's trouble stays its own: the enumerator plans it again, later and later.
  private void fail(RoundWork work, ErrorCode code, RuntimeException error) {
    LOG.debug("Cannot write a share: tableId={} roundId={}", work.tableId(), work.roundId(), error);
    events.accept(
        new ShareFailed(work.tableId(), work.roundId(), code, String.valueOf(error.getMessage())));
  }

  private synchronized void open() {
    if (fluss == null) {
      fluss = FlussLease.take(config.bootstrapServers());
    }
    if (lake == null) {
      lake = LakeTables.open(config.lake());
    }
    if (keys == null) {
      keys = KeyIndex.open(Path.of(config.indexDirectory()));
    }
  }

  private static void closeWriter(Lane lane) {
    if (lane.writer != null) {
      lane.writer.close();
      lane.writer = null;
    }
  }

  /** Stops what is under way, and deletes the key index. */
  @Override
  public void close() {
    long started = System.nanoTime();
    closed = true;
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(CLOSE_PATIENCE_S, TimeUnit.SECONDS)) {
        // Closing RocksDB below a thread that still uses it would crash the process.
        LOG.warn("A share is still under way: its key index stays in {}", config.indexDirectory());
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    closeResources();
    LOG.info(
        "Closed a tiering reader: ms={}", Duration.ofNanos(System.nanoTime() - started).toMillis());
  }

  private synchronized void closeResources() {
    lanes.values().forEach(ShareWorkers::closeWriter);
    if (keys != null) {
      keys.close();
    }
    if (lake != null) {
      try {
        lake.close();
      } catch (IOException e) {
        LOG.warn("Cannot close the lake catalog", e);
      }
    }
    if (fluss != null) {
      fluss.close();
    }
  }
}
