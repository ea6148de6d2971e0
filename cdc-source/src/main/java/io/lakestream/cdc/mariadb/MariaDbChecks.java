package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.source.Requirement;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Checks that a server can be captured. */
final class MariaDbChecks {
  private static final int OLDEST_MAJOR = 10;
  private static final int OLDEST_MINOR = 6;
  private static final String ANEW = ", and connect applications anew.";

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

  /** Asks for version, binlog and the account's rights. */
  static List<Requirement> list(MariaDbSession session) {
    MariaDbChecks checks = new MariaDbChecks(session);
    Requirement version = checks.version();
    if (!version.isMet()) {
      return List.of(version); // it may not know the settings
    }
    List<Requirement> all = new ArrayList<>();
    all.add(version);
    checks.addSettings(checks.server(), all);
    all.add(checks.rights());
    return all;
  }

  private Requirement version() {
    String version = session.one("read the version", "SELECT VERSION()", row -> row.getString(1));
    boolean mariaDb = version.toLowerCase(Locale.ROOT).contains("mariadb");
    String[] parts = version.split("[.-]", -1);
    int major = Integer.parseInt(parts[0]);
    int minor = Integer.parseInt(parts[1]);
    boolean old = major < OLDEST_MAJOR || (major == OLDEST_MAJOR && minor < OLDEST_MINOR);
    return Requirement.of(
        config.name(),
        mariaDb && !old,
        ErrorCode.SOURCE_NOT_READY,
        "MariaDB",
        "10.6 or newer",
        version,
        mariaDb
            ? "its MariaDB is version " + version + ", and Lakestream needs 10.6 or newer"
            : "its server is version " + version + " and no MariaDB",
        mariaDb
            ? "Upgrade the server."
            : "MySQL is not captured yet: it does not tell at which place of its binlog a copy was read.");
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

  private void addSettings(Server server, List<Requirement> all) {
    all.add(
        setting(
            server.logs(),
            "log_bin",
            "ON",
            server.logs() ? "ON" : "OFF",
            "its server writes no binlog",
            "Set log_bin and a server_id in the server's configuration and restart MariaDB."));
    all.add(global("binlog_format", "ROW", server.format(), ANEW));
    all.add(global("binlog_row_image", "FULL", server.rowImage(), ANEW));
    all.add(global("binlog_row_metadata", "FULL", server.rowMetadata(), "."));
    boolean compresses = server.compresses();
    all.add(
        setting(
            !compresses,
            "log_bin_compress",
            "OFF",
            compresses ? "ON" : "OFF",
            "log_bin_compress is ON, and compressed events are not read yet",
            "Run SET GLOBAL log_bin_compress = OFF; and keep it in the server's configuration."));
    boolean replica = !server.replicated().isEmpty();
    all.add(
        setting(
            server.logsReplicated() || !replica,
            "log_slave_updates",
            "ON, on a replica",
            (server.logsReplicated() ? "ON" : "OFF") + (replica ? ", a replica" : ", no replica"),
            "its server is a replica that does not log what it replicates",
            "Set log_slave_updates = ON in the server's configuration and restart MariaDB, or capture its primary."));
  }

  private Requirement global(String name, String required, String found, String end) {
    return setting(
        found.equalsIgnoreCase(required),
        name,
        required,
        found,
        name + " is " + found + " and must be " + required,
        "Run SET GLOBAL %s = '%s'; and keep it in the server's configuration%s"
            .formatted(name, required, end));
  }

  private Requirement setting(
      boolean met, String name, String required, String found, String problem, String fix) {
    return Requirement.of(
        config.name(), met, ErrorCode.SOURCE_NOT_READY, name, required, found, problem, fix);
  }

  private Requirement rights() {
    List<String> grants = session.list("read the rights", "SHOW GRANTS", row -> row.getString(1));
    boolean all =
        grants.stream().anyMatch(grant -> grant.startsWith("GRANT ALL PRIVILEGES ON *.*"));
    boolean reads = grants.stream().anyMatch(grant -> globally(grant, "REPLICATION SLAVE"));
    boolean monitors =
        grants.stream()
            .anyMatch(
                grant ->
                    globally(grant, "BINLOG MONITOR") || globally(grant, "REPLICATION CLIENT"));
    String account =
        session.one("read the account", "SELECT CURRENT_USER()", row -> row.getString(1));
    List<String> missing = new ArrayList<>();
    if (!all && !reads) {
      missing.add("REPLICATION SLAVE");
    }
    if (!all && !monitors) {
      missing.add("BINLOG MONITOR");
    }
    return Requirement.of(
        config.name(),
        missing.isEmpty(),
        ErrorCode.SOURCE_REFUSED,
        "user " + account,
        "REPLICATION SLAVE, BINLOG MONITOR",
        missing.isEmpty() ? "both" : "lacks " + String.join(", ", missing),
        "user " + account + " may not read the binlog",
        "Run GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.* TO %s;"
            .formatted(MariaDbSql.account(account)));
  }

  private static boolean globally(String grant, String right) {
    return grant.contains(" ON *.* ") && grant.contains(right);
  }
}
