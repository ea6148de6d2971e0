package io.lakestream.tiering.source;

import io.lakestream.tiering.TieringConfig;
import io.lakestream.tiering.source.StatelessSerializers.NoSplit;
import io.lakestream.tiering.source.TieringEvents.RoundAssigned;
import io.lakestream.tiering.source.TieringEvents.RoundEnded;
import io.lakestream.tiering.source.TieringEvents.TableGone;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;

/**
 * The Flink side of a reader: takes shares of rounds in, gives results out. The work itself is done
 * by {@link ShareWorkers}, so that neither a slow table nor a slow store holds up the task's
 * thread.
 */
final class TieringReader implements SourceReader<String, NoSplit> {
  /** What is to leave in the task's thread: an event, a line of output, or an error. */
  private interface Departure {
    void leave(SourceReaderContext context, ReaderOutput<String> output) throws Exception;
  }

  private final SourceReaderContext context;
  private final ShareWorkers workers;
  private final Queue<Departure> departures = new ArrayDeque<>(); // guarded by itself
  private CompletableFuture<Void> available = new CompletableFuture<>(); // guarded by departures

  TieringReader(TieringConfig config, SourceReaderContext context) {
    this.context = context;
    this.workers =
        new ShareWorkers(
            config,
            event -> depart((to, output) -> to.sendSourceEventToCoordinator(event)),
            error ->
                depart(
                    (to, output) -> {
                      throw new IllegalStateException("Tiering reader failed", error);
                    }));
  }

  private void depart(Departure departure) {
    synchronized (departures) {
      departures.add(departure);
      available.complete(null);
    }
  }

  @Override
  public void start() {
    // Nothing to ask for: the enumerator hands out shares once all readers have registered.
  }

  @Override
  public void handleSourceEvents(SourceEvent event) {
    if (event instanceof RoundAssigned assigned) {
      workers.submit(assigned.work());
    } else if (event instanceof RoundEnded ended) {
      workers.end(ended.tableId(), ended.roundId());
      if (!ended.report().isEmpty()) {
        depart((to, output) -> output.collect(ended.report()));
      }
    } else if (event instanceof TableGone gone) {
      workers.forget(gone.tableId());
    }
  }

  @Override
  public InputStatus pollNext(ReaderOutput<String> output) throws Exception {
    Departure departure;
    synchronized (departures) {
      departure = departures.poll();
      if (departures.isEmpty() && available.isDone()) {
        available = new CompletableFuture<>();
      }
    }
    if (departure == null) {
      return InputStatus.NOTHING_AVAILABLE;
    }
    departure.leave(context, output);
    synchronized (departures) {
      return departures.isEmpty() ? InputStatus.NOTHING_AVAILABLE : InputStatus.MORE_AVAILABLE;
    }
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    synchronized (departures) {
      return available;
    }
  }

  @Override
  public List<NoSplit> snapshotState(long checkpointId) {
    return List.of();
  }

  @Override
  public void addSplits(List<NoSplit> splits) {
    // There are none.
  }

  @Override
  public void notifyNoMoreSplits() {
    // There never were any.
  }

  @Override
  public void close() {
    workers.close();
  }
}
