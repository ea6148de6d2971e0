package io.lakestream.distribution.laptop;

import io.lakestream.distribution.config.PortSettings;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.apache.fluss.shaded.zookeeper3.org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.fluss.shaded.zookeeper3.org.apache.zookeeper.server.PurgeTxnLog;
import org.apache.fluss.shaded.zookeeper3.org.apache.zookeeper.server.ZKDatabase;
import org.apache.fluss.shaded.zookeeper3.org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.fluss.shaded.zookeeper3.org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.fluss.shaded.zookeeper3.org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One ZooKeeper server in this process: Fluss keeps its tables' metadata in it. */
public final class EmbeddedZooKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedZooKeeper.class);
  private static final int TICK_MS = 2_000;

  /**
   * Whatever a client asks for. Clients live and die with this server, so a session that expires
   * only says that the machine was busy, and Fluss would take its own servers for dead.
   */
  private static final int SESSION_MS = 600_000;

  private static final int MAX_CONNECTIONS = 100;
  private static final int KEPT_SNAPSHOTS = 3;
  private static final long LOG_GROWTH_KB = 1_024;

  private final ZooKeeperServer server;
  private final NIOServerCnxnFactory connections;

  private EmbeddedZooKeeper(ZooKeeperServer server, NIOServerCnxnFactory connections) {
    this.server = server;
    this.connections = connections;
  }

  /** The port that {@link #start} would take. Throws PORT_TAKEN where it is not free. */
  static int claimPort(PortSettings ports) {
    return Ports.claim("ZooKeeper", ports.zookeeper(), "ports.zookeeper");
  }

  /** Starts on a folder that may hold the state of an earlier run, killed or not. */
  public static EmbeddedZooKeeper start(Path folder, PortSettings ports) {
    int claimed = claimPort(ports);
    NIOServerCnxnFactory connections = new NIOServerCnxnFactory();
    try {
      FileTxnLog.setPreallocSize(LOG_GROWTH_KB);
      File files = folder.toFile();
      PurgeTxnLog.purge(files, files, KEPT_SNAPSHOTS);
      FileTxnSnapLog log = new FileTxnSnapLog(files, files);
      ZKDatabase database = new ZKDatabase(log);
      database.loadDataBase();
      endSessions(database);
      ZooKeeperServer server = new ZooKeeperServer(log, TICK_MS, "");
      server.setZKDatabase(database);
      server.setMinSessionTimeout(SESSION_MS);
      server.setMaxSessionTimeout(SESSION_MS);
      // Writes a snapshot, so the sessions stay ended although no transaction says so.
      server.loadData();
      connections.configure(
          new InetSocketAddress(Ports.loopback(), claimed), MAX_CONNECTIONS, -1, false);
      connections.startup(server, true);
      LOG.info("ZooKeeper is up: port={}", claimed);
      return new EmbeddedZooKeeper(server, connections);
    } catch (IOException e) {
      connections.shutdown();
      throw new LakestreamException(
          e, ErrorCode.FLUSS_FAILED, "Cannot start ZooKeeper in %s: %s", folder, ErrorText.of(e));
    } catch (InterruptedException e) {
      connections.shutdown();
      Thread.currentThread().interrupt();
      throw new LakestreamException(e, ErrorCode.FLUSS_FAILED, "Cannot start ZooKeeper: stopped");
    }
  }

  // Every client of the last run lived in the process that held the data folder, which is gone: its
  // sessions are dead. Left alone they would hold "the coordinator" and "tablet server 0" for up to
  // a session timeout after a kill, and the new servers could not register.
  private static void endSessions(ZKDatabase database) {
    long last = database.getDataTreeLastProcessedZxid();
    for (Long session : List.copyOf(database.getSessionWithTimeOuts().keySet())) {
      database.killSession(session, last);
      database.getSessionWithTimeOuts().remove(session);
    }
  }

  /** {@code host:port}. */
  public String address() {
    return Ports.HOST + ":" + connections.getLocalPort();
  }

  @Override
  public void close() {
    connections.shutdown();
    server.shutdown(true);
  }
}
