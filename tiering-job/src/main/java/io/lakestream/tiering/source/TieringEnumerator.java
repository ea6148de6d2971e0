package io.lakestream.tiering.source;

import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.lake.LakeTables;
import io.lakestream.tiering.TieringConfig;
import io.lakestream.tiering.source.StatelessSerializers.NoSplit;
import io.lakestream.tiering.source.StatelessSerializers.NoState;
import io.lakestream.tiering.source.TieringEvents.ShareFailed;
import io.lakestream.tiering.source.TieringEvents.ShareWritten;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.util.concurrent.ExecutorThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the tables, keeps a {@link TableLane} for each, and looks at the sources' cuts for all of
 * them. Everything here and in the lanes runs in the coordinator's thread; what blocks runs in a
 * few threads of its own.
 */
final class TieringEnumerator implements SplitEnumerator<NoSplit, NoState>, LaneHost {
  private static final Logger LOG = LoggerFactory.getLogger(TieringEnumerator.class);
  private static final long TICK_MS = 50;
  private static final Duration DISCOVERY_INTERVAL = Duration.ofSeconds(2);
  private static final int THREADS = 6;
  private static final long CLOSE_PATIENCE_S = 5;

  /** The cuts of one source, and whether somebody is looking just now. */
  private static final class SourceCuts {
    private CutWatch watch;
    private boolean busy;
    private long notBefore = System.nanoTime();
  }

  private final TieringConfig config;
  private final SplitEnumeratorContext<NoSplit> context;
  private final String jobId = UUID.randomUUID().toString();
  private final ExecutorService calls;
  private final Counter committedRounds;
  private final Counter refusedRounds;
  private final Map<Long, TableLane> lanes = new TreeMap<>();
  private final Map<String, SourceCuts> sources = new TreeMap<>();
  private long rounds;
  private boolean discovering;
  private long nextDiscovery = System.nanoTime();
  // Opened by the first discovery, in a background thread; volatile, since close may come first.
  private volatile FlussLease fluss;
  private volatile LakeTables lake;
  private volatile boolean closed;

  TieringEnumerator(TieringConfig config, SplitEnumeratorContext<NoSplit> context) {
    this.config = config;
    this.context = context;
    this.calls =
        Executors.newFixedThreadPool(THREADS, new ExecutorThreadFactory("lakestream-tiering"));
    this.committedRounds = context.metricGroup().counter("lakestream_rounds_committed");
    this.refusedRounds = context.metricGroup().counter("lakestream_rounds_refused");
  }

  @Override
  public void start() {
    context.callAsync(() -> true, (ignored, error) -> tick(), 0, TICK_MS);
  }

  private void tick() {
    if (closed) {
      return;
    }
    long now = System.nanoTime();
    if (!discovering && now - nextDiscovery >= 0) {
      discovering = true;
      call(this::listTables, this::discovered, this::discoveryFailed);
    }
    Set<String> dueSources = new HashSet<>();
    for (TableLane lane : lanes.values()) {
      lane.tick(now);
      if (lane.isDue(now)) {
        dueSources.add(lane.table().definition().name().source());
      }
    }
    dueSources.forEach(source -> lookAtCuts(source, now));
  }

  private List<LiveTable> listTables() {
    if (fluss == null) {
      fluss = FlussLease.take(config.bootstrapServers());
    }
    if (lake == null) {
      lake = LakeTables.open(config.lake());
    }
    return fluss.tables().list();
  }

  private void discovered(List<LiveTable> tables) {
    discovering = false;
    nextDiscovery = System.nanoTime() + DISCOVERY_INTERVAL.toNanos();
    Map<Long, LiveTable> found = new TreeMap<>();
    tables.forEach(table -> found.put(table.tableId(), table));
    lanes
        .values()
        .removeIf(
            lane -> {
              boolean gone = !lane.table().equals(found.get(lane.table().tableId()));
              if (gone) {
                lane.close();
              }
              return gone;
            });
    found.forEach((id, table) -> lanes.computeIfAbsent(id, key -> new TableLane(this, table)));
  }

  private void discoveryFailed(Throwable error) {
    discovering = false;
    nextDiscovery = System.nanoTime() + DISCOVERY_INTERVAL.toNanos();
    LOG.warn("Cannot list the tables to tier", error);
  }

  // One look serves all tables of the source that are due.
  private void lookAtCuts(String source, long now) {
    SourceCuts cuts = sources.computeIfAbsent(source, name -> new SourceCuts());
    if (cuts.busy || now - cuts.notBefore < 0) {
      return;
    }
    cuts.busy = true;
    call(
        () -> {
          if (cuts.watch == null) {
            cuts.watch = CutWatch.open(fluss.tables(), source);
          }
          return cuts.watch.look();
        },
        sight -> {
          cuts.busy = false;
          long then = System.nanoTime();
          for (TableLane lane : lanes.values()) {
            if (lane.table().definition().name().source().equals(source) && lane.isDue(then)) {
              lane.plan(sight);
            }
          }
        },
        error -> {
          cuts.busy = false;
          cuts.notBefore = System.nanoTime() + DISCOVERY_INTERVAL.toNanos();
          LOG.warn("Cannot read the cuts of a source: source={}", source, error);
        });
  }

  @Override
  public void handleSourceEvent(int reader, SourceEvent event) {
    if (event instanceof ShareWritten share) {
      TableLane lane = lanes.get(share.tableId());
      if (lane != null) {
        lane.written(reader, share);
      }
    } else if (event instanceof ShareFailed share) {
      TableLane lane = lanes.get(share.tableId());
      if (lane != null) {
        lane.failed(reader, share);
      }
    }
  }

  @Override
  public void addSplitsBack(List<NoSplit> splits, int reader) {
    lanes.values().forEach(lane -> lane.readerLost(reader));
  }

  @Override
  public void addReader(int reader) {
    // A reader that registers knows nothing: what it was given before is lost.
    lanes.values().forEach(lane -> lane.readerLost(reader));
  }

  @Override
  public void handleSplitRequest(int reader, String host) {
    // Readers ask for nothing: rounds are handed out.
  }

  @Override
  public NoState snapshotState(long checkpointId) {
    return new NoState();
  }

  @Override
  public TieringConfig config() {
    return config;
  }

  @Override
  public FlussTables fluss() {
    return fluss.tables();
  }

  @Override
  public LakeTables lake() {
    return lake;
  }

  @Override
  public <T> void call(Callable<T> call, Consumer<T> succeeded, Consumer<Throwable> failed) {
    try {
      calls.execute(
          () -> {
            T result;
            try {
              result = call.call();
            } catch (Throwable e) { // an Error too: a lane that hears nothing would wait for ever
              handOver(() -> failed.accept(e));
              return;
            }
            handOver(() -> succeeded.accept(result));
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("Dropped a call of a closed job", e);
    }
  }

  private void handOver(Runnable step) {
    if (!closed) {
      context.runInCoordinatorThread(step);
    }
  }

  @Override
  public boolean readersAreComplete() {
    return context.registeredReaders().size() == context.currentParallelism();
  }

  @Override
  public int owner(long tableId, int bucket) {
    return Math.floorMod(Long.hashCode(tableId) * 31 + bucket, context.currentParallelism());
  }

  @Override
  public int readerCount() {
    return context.currentParallelism();
  }

  @Override
  public void send(int reader, SourceEvent event) {
    if (context.registeredReaders().containsKey(reader)) {
      context.sendEventToSourceReader(reader, event);
    }
  }

  @Override
  public String newRoundId() {
    return jobId + "-" + ++rounds;
  }

  @Override
  public boolean isOurs(String roundId) {
    return roundId.startsWith(jobId);
  }

  @Override
  public void countRound(boolean committed) {
    (committed ? committedRounds : refusedRounds).inc();
  }

  @Override
  public void close() throws IOException {
    long started = System.nanoTime();
    closed = true;
    // A commit under way may end: its outcome is in the lake, where the next job finds it.
    calls.shutdown();
    try {
      if (!calls.awaitTermination(CLOSE_PATIENCE_S, TimeUnit.SECONDS)) {
        calls.shutdownNow();
      }
    } catch (InterruptedException e) {
      calls.shutdownNow();
      Thread.currentThread().interrupt();
    }
    for (SourceCuts cuts : sources.values()) {
      if (cuts.watch != null) {
        cuts.watch.close();
      }
    }
    if (lake != null) {
      lake.close();
    }
    if (fluss != null) {
      fluss.close();
    }
    LOG.info(
        "Closed the tiering enumerator: ms={}",
        Duration.ofNanos(System.nanoTime() - started).toMillis());
  }
}
