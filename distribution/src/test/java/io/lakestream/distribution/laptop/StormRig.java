package io.lakestream.distribution.laptop;

import io.lakestream.cdc.CaptureEngine;
import io.lakestream.cdc.source.Secret;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.cdc.source.SourceType;
import io.lakestream.distribution.config.PortSettings;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.lake.LakeConfig;
import io.lakestream.tables.lake.LakeTables;
import io.lakestream.tiering.TieringConfig;
import io.lakestream.tiering.TieringJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** All parts of the chain, each of which can be stopped, killed and started again by itself. */
final class StormRig implements AutoCloseable {
  static final String SOURCE = "storm";

  private final Path folder;
  private final PortSettings fixedPorts;
  private final EmbeddedPostgres17 postgres;
  private final EmbeddedZooKeeper zookeeper;
  private EmbeddedFluss fluss;
  private final LakeTables lake;
  private EmbeddedTiering tiering;
  private CaptureEngine capture;
  // Odd while Fluss is down.
  private final AtomicInteger flussTurns = new AtomicInteger();

  StormRig(Path folder) throws Exception {
    this.folder = folder;
    postgres = EmbeddedPostgres17.start(folder("postgres"), PortSettings.defaults());
    zookeeper = EmbeddedZooKeeper.start(folder("zookeeper"), PortSettings.defaults());
    // Fluss comes back on the same ports, as a server that was restarted does.
    fixedPorts = new PortSettings(0, freePort(), freePort(), 0);
    fluss = EmbeddedFluss.start(folder("fluss"), zookeeper.address(), fixedPorts);
    lake = LakeTables.open(lakeConfig());
    startTiering();
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectories(folder.resolve(name));
  }

  private static int freePort() throws IOException {
    try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private LakeConfig lakeConfig() throws IOException {
    return new LakeConfig(
        "jdbc:sqlite:" + folder("lake").resolve("catalog.db") + "?busy_timeout=10000",
        folder("lake/warehouse").toUri().toString().replaceFirst("/$", ""),
        Map.of());
  }

  SourceConfig sourceConfig() {
    return new SourceConfig(
        SOURCE,
        SourceType.POSTGRES,
        "127.0.0.1",
        postgres.port(),
        EmbeddedPostgres17.USER,
        EmbeddedPostgres17.USER,
        Secret.of("postgres"),
        List.of("public.*"),
        List.of(),
        2,
        Duration.ofMillis(200));
  }

  Connection connect() throws SQLException {
    return postgres.database(EmbeddedPostgres17.USER).getConnection();
  }

  SourceConnection openSource() {
    return SourceConnection.open(sourceConfig());
  }

  FlussTables tables() {
    return fluss.tables();
  }

  LakeTables lake() {
    return lake;
  }

  CaptureEngine capture() {
    return capture;
  }

  void startCapture() {
    capture = CaptureEngine.start(sourceConfig(), fluss.tables());
  }

  /** Ends capture without flush, cut or acknowledgement, and starts it again. */
  void killCapture() {
    capture.kill();
    startCapture();
  }

  /** Stops capture in order and starts it again. */
  void restartCapture() {
    capture.close();
    startCapture();
  }

  void startTiering() throws Exception {
    tiering = runTiering("tiering");
  }

  /** A further tiering job on the same tables; the caller closes it. */
  EmbeddedTiering runTiering(String name) throws Exception {
    EmbeddedTiering job = EmbeddedTiering.start(folder(name), 2);
    TieringConfig config =
        new TieringConfig(
            fluss.bootstrap(),
            lakeConfig(),
            Duration.ofMillis(300),
            Duration.ofSeconds(5),
            Duration.ofSeconds(2),
            folder(name + "/index").toString());
    job.run(environment -> TieringJob.define(environment, config));
    return job;
  }

  /** Ends the tiering job wherever it is, with all of Flink's state, and starts a new one. */
  void killTiering() throws Exception {
    tiering.close();
    startTiering();
  }

  /** Stops Fluss under running capture and tiering, and starts it again on its data. */
  void restartFluss() throws Exception {
    flussTurns.incrementAndGet();
    capture.kill();
    tiering.close();
    fluss.close();
    fluss = EmbeddedFluss.start(folder("fluss"), zookeeper.address(), fixedPorts);
    flussTurns.incrementAndGet();
    startTiering();
    startCapture();
  }

  /** How often Fluss went down or came up: a reader that fails over a change of it may do so. */
  int flussTurns() {
    return flussTurns.get();
  }

  @Override
  public void close() throws IOException {
    if (capture != null) {
      capture.close();
    }
    tiering.close();
    lake.close();
    fluss.close();
    zookeeper.close();
    postgres.close();
  }
}
