package io.lakestream.benchmarks.capture;

import io.lakestream.cdc.source.SourceType;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The MariaDB that is installed on this machine, on a folder of its own. */
final class MariaDbServer implements BenchDatabase {
  private static final int START_SECONDS = 60;
  private static final int POLL_MS = 100;

  private final Process server;
  private final int port;

  private MariaDbServer(Process server, int port) {
    this.server = server;
    this.port = port;
  }

  /** Where the server's program is; empty where MariaDB is not installed. */
  static Optional<Path> find() {
    return find("mariadbd");
  }

  private static Optional<Path> find(String program) {
    return Stream.concat(
            Stream.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/libexec"),
            Stream.of(System.getenv().getOrDefault("PATH", "").split(":")))
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static MariaDbServer start(Path folder) throws IOException, InterruptedException, SQLException {
    String user = "--user=" + System.getProperty("user.name");
    String data = "--datadir=" + Files.createDirectories(folder).resolve("data");
    Path log = folder.resolve("server.log");
    Process install =
        new ProcessBuilder(
                find("mariadb-install-db").orElseThrow().toString(),
                "--no-defaults",
                user,
                data,
                "--auth-root-authentication-method=normal",
                "--skip-test-db")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (!install.waitFor(2, TimeUnit.MINUTES) || install.exitValue() != 0) {
      throw failed("install", log);
    }
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Process server =
        new ProcessBuilder(
                find().orElseThrow().toString(),
                "--no-defaults",
                user,
                data,
                "--socket=" + folder.resolve("s"),
                "--pid-file=" + folder.resolve("pid"),
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--server-id=1",
                "--log-bin=binlog",
                "--binlog-format=ROW",
                "--binlog-row-image=FULL",
                "--binlog-row-metadata=FULL",
                "--innodb-buffer-pool-size=512M",
                "--innodb-log-file-size=256M",
                "--innodb-flush-log-at-trx-commit=0")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    MariaDbServer started = new MariaDbServer(server, port);
    started.awaitConnections(log);
    return started;
  }

  private void awaitConnections(Path log) throws IOException, InterruptedException, SQLException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (true) {
      try (Connection connection = connect("mysql");
          Statement statement = connection.createStatement()) {
        statement.execute("create database " + DATABASE + " character set utf8mb4");
        return;
      } catch (SQLException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
      }
      if (server.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
        throw failed("start", log);
      }
    }
  }

  private static LakestreamException failed(String what, Path log) throws IOException {
    return new LakestreamException(
        ErrorCode.SOURCE_UNREACHABLE, "MariaDB did not %s:%n%s", what, Files.readString(log));
  }

  @Override
  public String label() {
    return "mariadb";
  }

  @Override
  public SourceType type() {
    return SourceType.MARIADB;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String user() {
    return "root";
  }

  @Override
  public String password() {
    return "";
  }

  @Override
  public Connection connect() throws SQLException {
    return connect(DATABASE);
  }

  private Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:mariadb://127.0.0.1:" + port + "/" + database, user(), password());
  }

  @Override
  public String qualified(String table) {
    return DATABASE + "." + table;
  }

  @Override
  public String numbers(long first, long last) {
    return "select seq as n from seq_" + first + "_to_" + last;
  }

  @Override
  public void forget(String config) {
    // A binlog is kept for nobody.
  }

  @Override
  public void close() {
    server.destroy();
    try {
      if (!server.waitFor(START_SECONDS, TimeUnit.SECONDS)) {
        server.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      server.destroyForcibly();
    }
  }
}
