package io.lakestream.cdc.mariadb;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.network.ServerException;
import io.lakestream.cdc.decode.CaptureContext;
import io.lakestream.cdc.mariadb.RecordQueue.StreamEndedException;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the binlog from where the last end of a transaction was acknowledged, or from where it ends
 * now. Debezium's engine runs it; nothing in it retries: a failure ends the session.
 */
public final class BinlogTask extends SourceTask {
  private static final Logger LOG = LoggerFactory.getLogger(BinlogTask.class);
  private static final long POLL_MS = 50;
  private static final Duration LOOK_EVERY = Duration.ofSeconds(5);
  private static final int LOCK_PATIENCE_SECONDS = 5;
  private static final long CONNECT_MS = 10_000;
  // The server sends a heartbeat at least every minute, mostly every second.
  private static final Duration MIN_SILENCE = Duration.ofSeconds(15);
  private static final int HEARTBEATS_OF_SILENCE = 3;
  // The server waits so long for us to take more, while Fluss is slow.
  private static final long WRITE_TIMEOUT_SECONDS = 600;
  private static final int GTID_CAPABILITY = 4;
  private static final long MAX_DUMP_OFFSET = 0xFFFF_FFFFL;

  // The client logs by itself what is logged here; held, or the level would be forgotten.
  private static final java.util.logging.Logger CLIENT_LOG =
      java.util.logging.Logger.getLogger(BinaryLogClient.class.getPackageName());

  static {
    CLIENT_LOG.setLevel(java.util.logging.Level.SEVERE);
  }

  private final RecordQueue queue = new RecordQueue();
  private SourceConfig config;
  private MariaDbSession session;
  private BinaryLogClient client;
  private volatile boolean stopping;
  private long lookedAt = System.nanoTime();

  @Override
  public String version() {
    return "1";
  }

  @Override
  public void start(Map<String, String> properties) {
    StreamPlan plan = (StreamPlan) CaptureContext.of(properties).attachment();
    config = plan.config();
    session = MariaDbSession.open(config);
    takePlace();
    BinlogPlace start = findStart(plan);
    Charsets charsets = Charsets.load(session);
    long clock =
        session.one(
            "read the clock",
            "SELECT CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)",
            row -> row.getLong(1));
    long aheadMs = clock - System.currentTimeMillis();
    BinlogReader reader =
        new BinlogReader(plan, charsets, queue, start, () -> System.currentTimeMillis() + aheadMs);
    try {
      reader.begin();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException(e);
    }
    client = client(start);
    client.registerEventListener(reader);
    client.registerLifecycleListener(new Failures());
    Thread thread = new Thread(this::readBinlog, "lakestream-binlog-" + config.name());
    thread.setDaemon(true);
    thread.start();
    LOG.info("Reads the binlog: source={} position={}", config.name(), start.position());
  }

  private void takePlace() {
    Integer taken =
        session.one(
            "take our place",
            "SELECT GET_LOCK(?, " + LOCK_PATIENCE_SECONDS + ")",
            row -> row.getInt(1),
            CapturePlace.lock(config.name()));
    if (taken == null || taken != 1) {
      throw MariaDbConnection.placeInUse(config);
    }
  }

  private BinlogPlace findStart(StreamPlan plan) {
    Map<String, Object> kept =
        context.offsetStorageReader().offset(StreamRecords.partition(config.name()));
    BinlogPlace start =
        kept == null || kept.get(BinlogPlace.FILE) == null
            ? plan.start().orElseThrow()
            : BinlogPlace.of(kept);
    checkSameBinlog(start);
    return start;
  }

  // After RESET MASTER, or on another server, a file of the same name holds other changes.
  private void checkSameBinlog(BinlogPlace start) {
    String gtids = session.gtidsAt(start);
    boolean same =
        gtids != null
            && (start.gtid().isEmpty() || List.of(gtids.split(",")).contains(start.gtid()));
    if (!same || start.offset() > MAX_DUMP_OFFSET) {
      throw new LakestreamException(
          ErrorCode.SOURCE_CHANGES_LOST,
          "Cannot go on with source %s: the server's binlog at %s is not the one that was read (GTID %s, and now %s), so changes are lost. Take a new copy of its tables: lakestream cdc resync --source %s --all",
          config.name(),
          start.position(),
          start.gtid(),
          gtids,
          config.name());
    }
  }

  private BinaryLogClient client(BinlogPlace start) {
    BinaryLogClient created =
        new BinaryLogClient(
            config.host(), config.port(), config.user(), config.password().reveal());
    created.setServerId(CapturePlace.serverId(config.name()));
    created.setBinlogFilename(start.file());
    created.setBinlogPosition(start.offset());
    created.setEventDeserializer(new BinlogEvents());
    created.setMariaDbSlaveCapability(GTID_CAPABILITY);
    created.setHeartbeatInterval(config.heartbeat().toMillis());
    created.setNetWriteTimeout(WRITE_TIMEOUT_SECONDS);
    created.setConnectTimeout(CONNECT_MS);
    created.setKeepAlive(false);
    created.setSocketFactory(this::socket);
    BinlogTls.apply(config, created);
    return created;
  }

  // A connection that says nothing for several heartbeats is dead, whatever TCP believes.
  private Socket socket() throws SocketException {
    Duration silence = config.heartbeat().multipliedBy(HEARTBEATS_OF_SILENCE);
    Socket socket = new Socket();
    socket.setSoTimeout(
        (int) (silence.compareTo(MIN_SILENCE) < 0 ? MIN_SILENCE : silence).toMillis());
    socket.setKeepAlive(true);
    return socket;
  }

  private void readBinlog() {
    try {
      client.connect();
      queue.fail(new IOException("the server ended the stream"));
    } catch (IOException | RuntimeException e) {
      queue.fail(failure(e));
    }
  }

  private Throwable failure(Exception e) {
    return e instanceof ServerException server
        ? MariaDbErrors.ofStream(config, e, server.getErrorCode(), server.getMessage())
        : e;
  }

  private final class Failures extends BinaryLogClient.AbstractLifecycleListener {
    @Override
    public void onCommunicationFailure(BinaryLogClient source, Exception e) {
      queue.fail(failure(e));
    }

    // The client would leave the event out and go on.
    @Override
    public void onEventDeserializationFailure(BinaryLogClient source, Exception e) {
      queue.fail(e);
      disconnect();
    }
  }

  @Override
  public List<SourceRecord> poll() throws InterruptedException {
    if (stopping) {
      return List.of();
    }
    if (System.nanoTime() - lookedAt > LOOK_EVERY.toNanos()) {
      lookedAt = System.nanoTime();
      // Fails where the connection that holds our place is gone.
      session.execute("keep our place", "DO 1");
    }
    try {
      return queue.take(POLL_MS);
    } catch (StreamEndedException e) {
      throw new ConnectException(e.getCause());
    }
  }

  @Override
  public void stop() {
    stopping = true;
    queue.close();
    if (client != null) {
      disconnect();
    }
    if (session != null) {
      try {
        session.close();
      } catch (LakestreamException e) {
        LOG.debug("Closed a lost connection: source={}", config.name(), e);
      }
    }
  }

  private void disconnect() {
    try {
      client.disconnect();
    } catch (IOException e) {
      LOG.debug("Closed a lost connection: source={}", config.name(), e);
    }
  }
}
