package io.lakestream.distribution.laptop;

import io.lakestream.cdc.CaptureEngine;
import io.lakestream.distribution.cli.Version;
import io.lakestream.distribution.config.LakestreamConfig;
import io.lakestream.distribution.config.PortSettings;
import io.lakestream.distribution.config.SourceSettings;
import io.lakestream.distribution.health.CaptureHttp;
import io.lakestream.distribution.laptop.RunningParts.Layer;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.lake.LakeConfig;
import io.lakestream.tables.lake.LakeTables;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything in one JVM below one data folder. {@link #start} brings the parts up in order and
 * {@link #close} takes them down in reverse; Ctrl-C and SIGTERM do the same.
 *
 * <p>Safe for many threads.
 */
public final class LaptopInstance implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LaptopInstance.class);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(9);
  private static final Duration WATCH_INTERVAL = Duration.ofMillis(500);

  private final LakestreamConfig config;
  private final Progress progress;
  private final RunningParts parts = new RunningParts();
  private final CompletableFuture<LakestreamException> failure = new CompletableFuture<>();
  private final Thread shutdownHook = new Thread(this::stopForExit, "lakestream-shutdown");

  private final Map<String, CaptureEngine> captures = new ConcurrentHashMap<>();

  private DataFolder folder;
  private volatile Endpoints endpoints;
  private CaptureHttp http;
  private FlussTables tables;
  private LakeTables lake;
  private EmbeddedPostgres17 postgres;

  private LaptopInstance(LakestreamConfig config, Progress progress) {
    this.config = config;
    this.progress = progress;
  }

  /**
   * Locks the data folder and starts all parts but capture. Nothing stays behind where it fails.
   *
   * @param withPostgres also starts the demo's PostgreSQL
   * @param progress shows a line per part, and one when Ctrl-C or SIGTERM has stopped it all, from
   *     a thread of its own
   * @throws LakestreamException with the way out
   */
  public static LaptopInstance start(
      LakestreamConfig config, boolean withPostgres, Progress progress) {
    LaptopInstance instance = new LaptopInstance(config, progress);
    Runtime.getRuntime().addShutdownHook(instance.shutdownHook);
    try {
      instance.startParts(withPostgres);
      return instance;
    } catch (Exception e) {
      instance.close();
      throw e instanceof LakestreamException known
          ? known
          : new LakestreamException(e, ErrorCode.INTERNAL, "Cannot start: %s", e);
    }
  }

  private void startParts(boolean withPostgres) throws Exception {
    folder = parts.start(Layer.FOLDER, "data folder", () -> DataFolder.lock(config.data()));
    Path path = folder.path();
    // The log belongs to the owner of the folder, so not before the lock.
    LogFile.open(path, "lakestream");
    LOG.info("Starting: version={} config={}", Version.lakestream(), config);
    DiskGuard disk = new DiskGuard(path, config.minFreeSpace());
    disk.check().ifPresent(LaptopInstance::fail);
    claimPorts(config.ports(), withPostgres);
    // Whatever a killed run left in it, nobody may follow it to servers that are gone.
    Endpoints.remove(path);

    // Three lanes side by side; the tiering job needs the second and the third.
    Lane<Void> database = Lane.start("postgres", () -> startPostgres(withPostgres));
    Lane<EmbeddedTiering> flink = Lane.start("flink", () -> startFlink());
    EmbeddedZooKeeper zookeeper =
        timed(
            Layer.COORDINATION,
            "ZooKeeper",
            () -> EmbeddedZooKeeper.start(folder.folder("zookeeper"), config.ports()));
    EmbeddedFluss fluss =
        timed(
            Layer.STORAGE,
            "Fluss",
            () -> EmbeddedFluss.start(folder.folder("fluss"), zookeeper.address(), config.ports()));
    tables = fluss.tables();
    LakeConfig lakeConfig = lakeConfig();
    lake = parts.start(Layer.STORAGE, "lake catalog", () -> LakeTables.open(lakeConfig));
    EmbeddedTiering tiering = flink.await();
    tiering.run(
        Stages.tiering(fluss.bootstrap(), lakeConfig, config.lake(), folder.folder("index")));
    database.await();

    endpoints = describe(fluss, zookeeper, lakeConfig);
    http =
        parts.start(
            Layer.FRONT,
            "health and metrics",
            () -> CaptureHttp.start(config.http(), captures::values));
    parts.start(Layer.FRONT, "endpoints", () -> publish(path));
    parts.start(
        Layer.FRONT,
        "watch",
        () ->
            Watch.start(
                WATCH_INTERVAL,
                () -> disk.check().or(tiering::failure).or(this::captureFailure),
                failure::complete));
  }

  // Before anything runs: a port that is taken is the most common thing to go wrong.
  private void claimPorts(PortSettings ports, boolean withPostgres) {
    EmbeddedZooKeeper.claimPort(ports);
    EmbeddedFluss.claimPorts(ports);
    if (withPostgres) {
      // The server of a killed run may still hold the port.
      OrphanPostmaster.stop(EmbeddedPostgres17.data(folder.path().resolve("postgres")));
      EmbeddedPostgres17.claimPort(ports);
    }
  }

  private Void startPostgres(boolean wanted) throws Exception {
    if (wanted) {
      postgres =
          timed(
              Layer.STORAGE,
              "PostgreSQL 17",
              () -> EmbeddedPostgres17.start(folder.folder("postgres"), config.ports()));
    }
    return null;
  }

  private EmbeddedTiering startFlink() throws Exception {
    return timed(
        Layer.STAGES,
        "Flink",
        () -> EmbeddedTiering.start(folder.folder("flink"), config.lake().parallelism()));
  }

  private Endpoints describe(EmbeddedFluss fluss, EmbeddedZooKeeper zookeeper, LakeConfig lake) {
    return new Endpoints(
        Version.lakestream(),
        ProcessHandle.current().pid(),
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        fluss.bootstrap(),
        zookeeper.address(),
        lake.catalogUri(),
        lake.warehouse(),
        postgres == null ? "" : postgres.url(EmbeddedPostgres17.USER),
        Map.of());
  }

  private AutoCloseable publish(Path path) {
    endpoints.write(path);
    return () -> Endpoints.stopping(path);
  }

  private <T extends AutoCloseable> T timed(Layer layer, String name, Callable<T> start)
      throws Exception {
    long began = System.nanoTime();
    T part = parts.start(layer, name, start);
    if (!ProcessEnd.hasBegun()) {
      progress.line(String.format("%s is up (%.1f s)", name, (System.nanoTime() - began) / 1e9));
    }
    return part;
  }

  private LakeConfig lakeConfig() {
    Path catalog = folder.folder("lake").resolve("catalog.db");
    return new LakeConfig(
        "jdbc:sqlite:" + catalog + "?busy_timeout=10000&journal_mode=WAL",
        folder.folder("lake/warehouse").toUri().toString().replaceFirst("/$", ""),
        Map.of());
  }

  private static void fail(LakestreamException e) {
    throw e;
  }

  /**
   * Starts capture of a source and tells other processes about it.
   *
   * @throws LakestreamException with the way out, where the source or all of its tables are
   *     refused; the other sources go on
   */
  public CaptureEngine capture(String name, SourceSettings source) {
    CaptureEngine engine;
    try {
      engine =
          parts.start(
              Layer.STAGES,
              "capture of " + name,
              () ->
                  CaptureEngine.start(
                      Stages.source(name, source), tables, Stages.options(name, source, http)));
    } catch (LakestreamException e) {
      throw e;
    } catch (Exception e) {
      throw new LakestreamException(
          e, ErrorCode.INTERNAL, "Cannot capture source %s: %s", name, ErrorText.of(e));
    }
    captures.put(name, engine);
    synchronized (this) {
      endpoints = endpoints.withSource(name, source);
      endpoints.write(folder.path());
    }
    return engine;
  }

  /** The capture engines by source. */
  public Map<String, CaptureEngine> captures() {
    return Map.copyOf(captures);
  }

  // One source that failed leaves the others to go on; with the last one the instance has no work.
  private Optional<LakestreamException> captureFailure() {
    List<LakestreamException> failures =
        captures.values().stream().flatMap(engine -> engine.failure().stream()).toList();
    return !failures.isEmpty() && failures.size() == captures.size()
        ? Optional.of(failures.get(0))
        : Optional.empty();
  }

  /** Where health and metrics of capture are served. */
  public String httpUrl() {
    return http.url();
  }

  /** The configuration it was started with. */
  public LakestreamConfig config() {
    return config;
  }

  /** Absolute path of the data folder. */
  public Path folder() {
    return folder.path();
  }

  /** What other processes see. */
  public Endpoints endpoints() {
    return endpoints;
  }

  /** Connection to Fluss; open until {@link #close}. */
  public FlussTables tables() {
    return tables;
  }

  /** The lake; open until {@link #close}. */
  public LakeTables lake() {
    return lake;
  }

  /** The demo's PostgreSQL; empty where it was not asked for. */
  public Optional<EmbeddedPostgres17> postgres() {
    return Optional.ofNullable(postgres);
  }

  /** Why the instance cannot go on; empty while all is well. Whoever sees one closes it. */
  public Optional<LakestreamException> failure() {
    return Optional.ofNullable(failure.getNow(null));
  }

  /** Waits until the instance cannot go on, at most for {@code limit}, and says why. */
  public Optional<LakestreamException> awaitFailure(Duration limit) {
    try {
      return Optional.of(failure.get(limit.toMillis(), TimeUnit.MILLISECONDS));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CancellationException("interrupted");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Tells the user that it is over, and how to go on. */
  public void sayStopped() {
    progress.line("Stopped. The same command goes on where it stopped: data=" + folder.path());
  }

  /** Stops everything, within 10 s. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException e) {
      LOG.debug("The process is ending already", e);
    }
    stopParts();
  }

  private void stopParts() {
    parts.stop(STOP_LIMIT);
  }

  private void stopForExit() {
    boolean ran = endpoints != null;
    stopParts();
    if (ran) {
      sayStopped();
    }
    LogFile.close();
  }
}
