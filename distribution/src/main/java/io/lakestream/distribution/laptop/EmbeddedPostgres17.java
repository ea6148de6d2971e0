package io.lakestream.distribution.laptop;

import io.lakestream.distribution.config.PortSettings;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real PostgreSQL 17 for the demo: a process of its own, with its data below the data folder,
 * kept between runs. It listens on the loopback interface only and trusts who connects there.
 */
public final class EmbeddedPostgres17 implements AutoCloseable {
  /** The superuser. */
  public static final String USER = "postgres";

  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedPostgres17.class);
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  private final EmbeddedPostgres server;

  private EmbeddedPostgres17(EmbeddedPostgres server) {
    this.server = server;
  }

  /** PostgreSQL's data directory below its folder. */
  static Path data(Path folder) {
    return folder.resolve("data");
  }

  /** The port that {@link #start} would take. Throws PORT_TAKEN where it is not free. */
  static int claimPort(PortSettings ports) {
    return Ports.claim("PostgreSQL", ports.postgres(), "ports.postgres");
  }

  /** Starts on a folder that may hold the databases of an earlier run, killed or not. */
  public static EmbeddedPostgres17 start(Path folder, PortSettings ports) {
    Path data = data(folder);
    OrphanPostmaster.stop(data);
    int claimed = claimPort(ports);
    try {
      removeHalfMade(data);
      EmbeddedPostgres server =
          EmbeddedPostgres.builder()
              .setOverrideWorkingDirectory(Files.createDirectories(folder.resolve("bin")).toFile())
              .setDataDirectory(data)
              .setCleanDataDirectory(false)
              .setRegisterShutdownHook(false)
              .setPGStartupWait(START_LIMIT)
              .setPort(claimed)
              .setLocaleConfig("locale", "C")
              .setServerConfig("listen_addresses", Ports.HOST)
              // Its socket would need a folder outside of ours with a short path.
              .setServerConfig("unix_socket_directories", "")
              .setServerConfig("wal_level", "logical")
              .setServerConfig("max_connections", "50")
              .setServerConfig("shared_buffers", "64MB")
              .setServerConfig("max_wal_size", "256MB")
              .setServerConfig("max_replication_slots", "10")
              .setServerConfig("max_wal_senders", "10")
              .start();
      LOG.info("PostgreSQL is up: port={}", claimed);
      return new EmbeddedPostgres17(server);
    } catch (IOException | RuntimeException e) {
      OrphanPostmaster.stop(data);
      throw new LakestreamException(
          e, ErrorCode.INTERNAL, "Cannot start PostgreSQL in %s: %s", folder, ErrorText.of(e));
    }
  }

  // initdb writes PG_VERSION early and global/pg_control late: without the second, a start died in
  // the middle of it and nothing in the folder is worth keeping.
  private static void removeHalfMade(Path data) throws IOException {
    if (Files.exists(data) && !Files.exists(data.resolve("global").resolve("pg_control"))) {
      FileTrees.delete(data);
    }
  }

  public int port() {
    return server.getPort();
  }

  /** JDBC URL of a database for the superuser, without password. */
  public String url(String database) {
    return "jdbc:postgresql://" + Ports.HOST + ":" + port() + "/" + database + "?user=" + USER;
  }

  /** Connections to a database as superuser. */
  public DataSource database(String name) {
    return server.getDatabase(USER, name);
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      LOG.warn("PostgreSQL did not stop cleanly", e);
    }
  }
}
