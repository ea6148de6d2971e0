package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks that a server can be captured. */
final class MariaDbChecks {
  private static final Logger LOG = LoggerFactory.getLogger(MariaDbChecks.class);
  private static final int OLDEST_MAJOR = 10;
  private static final int OLDEST_MINOR = 6;

  private record Server(
      String version,
      boolean logs,
      String format,
      String rowImage,
      String rowMetadata,
      boolean compresses,
      boolean logsReplicated,
      String replicated) {}

  private final MariaDbSession session;
  private final SourceConfig config;

  private MariaDbChecks(MariaDbSession session) {
    this.session = session;
    this.config = session.config();
  }

  /**
   * Checks version, binlog and the account's rights.
   *
   * @throws LakestreamException SOURCE_NOT_READY or SOURCE_REFUSED with the SQL that mends it
   */
  static void check(MariaDbSession session) {
    MariaDbChecks checks = new MariaDbChecks(session);
    checks.checkVersion();
    Server server = checks.server();
    checks.checkServer(server);
    checks.checkRights();
    LOG.info("Source is ready: source={} version={}", checks.config.name(), server.version());
  }

  private void checkVersion() {
    String version = session.one("read the version", "SELECT VERSION()", row -> row.getString(1));
    if (!version.toLowerCase(Locale.ROOT).contains("mariadb")) {
      throw notReady(
          "its server is version %s and no MariaDB. MySQL is not captured yet: it does not tell at which place of its binlog a copy was read",
          version);
    }
    String[] parts = version.split("[.-]", -1);
    int major = Integer.parseInt(parts[0]);
    int minor = Integer.parseInt(parts[1]);
    if (major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR)) {
      throw notReady(
          "its MariaDB is version %s, and Lakestream needs 10.6 or newer. Upgrade the server",
          version);
    }
  }

  private Server server() {
    return session.one(
        "read the settings",
        """
        SELECT VERSION(), @@GLOBAL.log_bin, @@GLOBAL.binlog_format, @@GLOBAL.binlog_row_image,
          @@GLOBAL.binlog_row_metadata, @@GLOBAL.log_bin_compress, @@GLOBAL.log_slave_updates,
          @@GLOBAL.gtid_slave_pos
        """,
        row ->
            new Server(
                row.getString(1),
                row.getBoolean(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getBoolean(6),
                row.getBoolean(7),
                row.getString(8)));
  }

  private void checkServer(Server server) {
    if (!server.logs()) {
      throw notReady(
          "its server writes no binlog. Set log_bin and a server_id in the server's configuration and restart MariaDB");
    }
    if (!server.format().equalsIgnoreCase("ROW")) {
      throw notReady(
          "binlog_format is %s and must be ROW. Run SET GLOBAL binlog_format = 'ROW'; keep it in the server's configuration, and connect applications anew",
          server.format());
    }
    if (!server.rowImage().equalsIgnoreCase("FULL")) {
      throw notReady(
          "binlog_row_image is %s and must be FULL. Run SET GLOBAL binlog_row_image = 'FULL'; keep it in the server's configuration, and connect applications anew",
          server.rowImage());
    }
    if (!server.rowMetadata().equalsIgnoreCase("FULL")) {
      throw notReady(
          "binlog_row_metadata is %s and must be FULL, so that changes name their columns. Run SET GLOBAL binlog_row_metadata = 'FULL'; and keep it in the server's configuration",
          server.rowMetadata());
    }
    if (server.compresses()) {
      throw notReady(
          "log_bin_compress is ON, and compressed events are not read yet. Run SET GLOBAL log_bin_compress = OFF; and keep it in the server's configuration");
    }
    if (!server.logsReplicated() && !server.replicated().isEmpty()) {
      throw notReady(
          "its server is a replica that does not log what it replicates. Set log_slave_updates = ON in the server's configuration and restart MariaDB, or capture its primary");
    }
  }

  private void checkRights() {
    List<String> grants = session.list("read the rights", "SHOW GRANTS", row -> row.getString(1));
    boolean all =
        grants.stream().anyMatch(grant -> grant.startsWith("GRANT ALL PRIVILEGES ON *.*"));
    boolean reads = grants.stream().anyMatch(grant -> globally(grant, "REPLICATION SLAVE"));
    boolean monitors =
        grants.stream()
            .anyMatch(
                grant ->
                    globally(grant, "BINLOG MONITOR") || globally(grant, "REPLICATION CLIENT"));
    if (!all && !(reads && monitors)) {
      String account =
          session.one("read the account", "SELECT CURRENT_USER()", row -> row.getString(1));
      throw new LakestreamException(
          ErrorCode.SOURCE_REFUSED,
          "Cannot capture source %s: user %s may not read the binlog. Run GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO %s;",
          config.name(),
          account,
          MariaDbSql.account(account));
    }
  }

  private static boolean globally(String grant, String right) {
    return grant.contains(" ON *.* ") && grant.contains(right);
  }

  private LakestreamException notReady(String what, Object... arguments) {
    return new LakestreamException(
        ErrorCode.SOURCE_NOT_READY,
        "Cannot capture source %s: %s.",
        config.name(),
        String.format(Locale.ROOT, what, arguments));
  }
}
