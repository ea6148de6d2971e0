package io.lakestream.cdc;

import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.position.CapturedTable;
import io.lakestream.cdc.source.Source;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the tables of a session that are not whole, a few at once, each from where the session
 * before stopped. The stream goes on meanwhile; {@link Sink} brings the two together.
 */
final class TableCopier implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TableCopier.class);
  private static final int AT_ONCE = 2;
  private static final int CHUNK_ROWS = 10_000;
  private static final long CHUNK_BYTES = 16L << 20;
  private static final long SHOW_EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long CLOSE_SECONDS = 5;

  /** Takes chunks. Any thread. */
  interface Sink {
    /**
     * Writes a chunk; durable on return.
     *
     * @return false where nothing is taken any more
     */
    boolean write(SourceTable table, TableCopy.Chunk chunk);
  }

  private final Source source;
  private final CaptureProgress progress;
  private final CaptureState state;
  private final Sink sink;
  private final Consumer<RuntimeException> failed;
  private final ExecutorService copies;
  private final ExecutorService reads;
  private volatile boolean closed;

  /**
   * Prepares to copy.
   *
   * @param failed hears of the first failure; copying has stopped then
   */
  TableCopier(
      Source source,
      CaptureProgress progress,
      CaptureState state,
      Sink sink,
      Consumer<RuntimeException> failed) {
    this.source = source;
    this.progress = progress;
    this.state = state;
    this.sink = sink;
    this.failed = failed;
    this.copies = pool("copy");
    this.reads = pool("read");
  }

  private ExecutorService pool(String purpose) {
    return Executors.newFixedThreadPool(
        AT_ONCE,
        task -> {
          Thread thread = new Thread(task, "lakestream-" + purpose + "-" + source.config().name());
          thread.setDaemon(true);
          return thread;
        });
  }

  /** Copies a table in the background. */
  void copy(SourceTable table, CapturedTable from) {
    copies.execute(
        () -> {
          try {
            run(table, from);
          } catch (RuntimeException e) {
            if (!closed) {
              closed = true;
              failed.accept(e);
            }
          }
        });
  }

  private void run(SourceTable table, CapturedTable from) {
    long began = System.nanoTime();
    long rows = from.copy().rows();
    long shown = 0;
    try (TableCopy copy = source.copy(table)) {
      long estimate = copy.estimateRows();
      LOG.info(
          "Copies a table: table={} from={} estimatedRows={}",
          table.definition().name(),
          rows,
          estimate);
      CompletableFuture<TableCopy.Chunk> next = read(copy, resumeAfter(from));
      while (next != null && !closed) {
        TableCopy.Chunk chunk = await(next);
        // The next chunk is read while this one is written.
        next = chunk.lastKey().isPresent() ? read(copy, chunk.lastKey()) : null;
        if (!sink.write(table, chunk)) {
          return;
        }
        rows += chunk.rows().size();
        long copied = rows;
        if (chunk.lastKey().isPresent()) {
          List<String> lastKey = chunk.lastKey().get();
          // After the rows are durable: a crash before this reads the chunk a second time.
          progress.update(table.display(), t -> t.copiedTo(lastKey, copied));
        }
        state.copied(table.display(), rows, estimate);
        if (System.nanoTime() - shown > SHOW_EVERY_NANOS) {
          shown = System.nanoTime();
          show(table, rows, rows - from.copy().rows(), estimate, System.nanoTime() - began);
        }
      }
      LOG.info(
          "Copied a table: table={} rows={} ms={}",
          table.definition().name(),
          rows,
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    }
  }

  private static Optional<List<String>> resumeAfter(CapturedTable table) {
    List<String> lastKey = table.copy().lastKey();
    return lastKey.isEmpty() ? Optional.empty() : Optional.of(lastKey);
  }

  private CompletableFuture<TableCopy.Chunk> read(TableCopy copy, Optional<List<String>> after) {
    return CompletableFuture.supplyAsync(() -> copy.next(after, CHUNK_ROWS, CHUNK_BYTES), reads);
  }

  private static TableCopy.Chunk await(CompletableFuture<TableCopy.Chunk> read) {
    try {
      return read.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new LakestreamException(e, ErrorCode.INTERNAL, "Cannot copy: %s", e.getCause());
    }
  }

  private void show(SourceTable table, long rows, long since, long estimate, long nanos) {
    double rate = since / (nanos / 1e9);
    String rest =
        estimate > rows && rate > 0
            ? String.format(
                Locale.ROOT, " of about %,d, %.0f s left", estimate, (estimate - rows) / rate)
            : "";
    state.copying(
        table.display(),
        String.format(Locale.ROOT, "copied %,d rows%s (%,.0f rows/s)", rows, rest, rate));
  }

  @Override
  public void close() {
    closed = true;
    copies.shutdownNow();
    reads.shutdownNow();
    try {
      boolean ended =
          copies.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)
              && reads.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
      if (!ended) {
        LOG.warn("Copying did not stop in time: source={}", source.config().name());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
