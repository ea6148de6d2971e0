package io.lakestream.distribution.laptop;

import io.lakestream.distribution.config.PortSettings;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.server.ServerBase;
import org.apache.fluss.server.coordinator.CoordinatorServer;
import org.apache.fluss.server.tablet.TabletServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Fluss coordinator and one tablet server in this process, sized for many small tables. */
public final class EmbeddedFluss implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedFluss.class);

  /**
   * What the defaults would take is meant for a machine of its own. RocksDB settings count once per
   * bucket.
   */
  private static final Map<String, String> SMALL =
      Map.ofEntries(
          Map.entry("kv.rocksdb.writebuffer.size", "4mb"),
          Map.entry("kv.rocksdb.block.cache-size", "2mb"),
          Map.entry("kv.rocksdb.files.open", "64"),
          Map.entry("kv.rocksdb.thread.num", "2"),
          Map.entry("kv.snapshot.interval", "3min"),
          Map.entry("kv.snapshot.transfer-thread-num", "2"),
          Map.entry("log.index.file-size", "1mb"),
          Map.entry("log.segment.file-size", "128mb"),
          Map.entry("server.buffer.memory-size", "64mb"),
          Map.entry("server.buffer.per-request-memory-size", "2mb"),
          Map.entry("server.io-pool.size", "3"),
          Map.entry("server.background.threads", "4"),
          Map.entry("coordinator.io-pool.size", "2"),
          Map.entry("netty.server.num-network-threads", "2"),
          Map.entry("netty.server.num-worker-threads", "4"),
          Map.entry("netty.client.num-network-threads", "2"),
          Map.entry("remote.log-manager.thread-pool-size", "1"),
          Map.entry("remote.log.data-transfer-thread-num", "1"),
          // With one tablet server there is no other to hand leadership to.
          Map.entry("tablet-server.controlled-shutdown.max-retries", "0"));

  private final CoordinatorServer coordinator;
  private final TabletServer tablet;
  private final FlussTables tables;
  private final String bootstrap;

  private EmbeddedFluss(
      CoordinatorServer coordinator, TabletServer tablet, FlussTables tables, String bootstrap) {
    this.coordinator = coordinator;
    this.tablet = tablet;
    this.tables = tables;
    this.bootstrap = bootstrap;
  }

  /**
   * The ports of coordinator and tablet server that {@link #start} would take. Throws PORT_TAKEN
   * where one is not free.
   */
  static int[] claimPorts(PortSettings ports) {
    return new int[] {
      Ports.claim("Fluss's coordinator", ports.coordinator(), "ports.coordinator"),
      Ports.claim("Fluss's tablet server", ports.tablet(), "ports.tablet")
    };
  }

  /**
   * Starts on a folder that may hold the tables of an earlier run, killed or not.
   *
   * @param zookeeper {@code host:port}
   */
  public static EmbeddedFluss start(Path folder, String zookeeper, PortSettings ports) {
    int[] claimed = claimPorts(ports);
    int coordinatorPort = claimed[0];
    int tabletPort = claimed[1];
    Configuration conf = new Configuration();
    SMALL.forEach(conf::setString);
    conf.setString("zookeeper.address", zookeeper);
    // Always a local path: every Fluss client in this process sets the file systems up again, which
    // would take away the servers' access to anything that needs credentials.
    conf.setString("remote.data.dir", folder.resolve("remote").toUri().toString());
    Path data = folder.resolve("tablet");
    conf.setString("data.dir", data.toString());
    conf.setString("tablet-server.id", "0");

    try {
      HighWatermarks.raiseToLogEnds(data);
    } catch (IOException e) {
      throw new LakestreamException(
          e, ErrorCode.FLUSS_FAILED, "Cannot prepare Fluss's logs in %s: %s", data, e);
    }
    HalfMadeTables.remove(conf);
    CoordinatorServer coordinator = new CoordinatorServer(listening(conf, coordinatorPort));
    start(coordinator, "coordinator");
    TabletServer tablet = new TabletServer(listening(conf, tabletPort));
    try {
      start(tablet, "tablet server");
      String bootstrap = Ports.HOST + ":" + coordinatorPort;
      return new EmbeddedFluss(coordinator, tablet, FlussTables.open(bootstrap), bootstrap);
    } catch (RuntimeException e) {
      close(tablet, "tablet server");
      close(coordinator, "coordinator");
      throw e;
    }
  }

  private static Configuration listening(Configuration conf, int port) {
    Configuration own = new Configuration(conf);
    own.setString("bind.listeners", "FLUSS://" + Ports.HOST + ":" + port);
    return own;
  }

  private static void start(ServerBase server, String name) {
    try {
      server.start();
      removeShutdownHook(server);
    } catch (Exception e) {
      throw new LakestreamException(
          e, ErrorCode.FLUSS_FAILED, "Cannot start Fluss's %s: %s", name, rootMessage(e));
    }
  }

  // Fluss stops itself when the process is told to end, at the same time as our own shutdown hook
  // stops what still writes into it. The order is ours to keep.
  private static void removeShutdownHook(ServerBase server) throws ReflectiveOperationException {
    Field field = ServerBase.class.getDeclaredField("shutDownHook");
    field.setAccessible(true);
    Thread hook = (Thread) field.get(server);
    if (hook != null) {
      Runtime.getRuntime().removeShutdownHook(hook);
    }
  }

  private static String rootMessage(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return ErrorText.of(root);
  }

  /** {@code host:port} for clients. */
  public String bootstrap() {
    return bootstrap;
  }

  /** A connection of this process; open until {@link #close}. */
  FlussTables tables() {
    return tables;
  }

  // Side by side: each of the three spends two seconds in the quiet period of its network threads.
  @Override
  public void close() {
    CompletableFuture<Void> closed =
        CompletableFuture.allOf(
            closing(tables, "client"),
            closing(tablet, "tablet server"),
            closing(coordinator, "coordinator"));
    closed.join();
  }

  private static CompletableFuture<Void> closing(AutoCloseable part, String name) {
    return CompletableFuture.runAsync(
        () -> close(part, name), task -> new Thread(task, "stop Fluss " + name).start());
  }

  private static void close(AutoCloseable part, String name) {
    try {
      part.close();
    } catch (Exception e) {
      LOG.warn("Fluss did not stop cleanly: part={}", name, e);
    }
  }
}
