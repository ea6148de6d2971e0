package io.lakestream.cdc.postgres;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks that a server can be captured, before anything is created in it or in Fluss. */
final class PostgresChecks {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresChecks.class);
  private static final int OLDEST_VERSION = 140_000;

  private record Server(
      int version,
      boolean standby,
      String walLevel,
      int slotsMax,
      int slotsUsed,
      int sendersMax,
      int sendersUsed) {}

  private final PostgresConnection source;
  private final SourceConfig config;

  private PostgresChecks(PostgresConnection source) {
    this.source = source;
    this.config = source.config();
  }

  /**
   * Checks version, wal_level, the role's rights, and that a slot and a WAL sender are free.
   *
   * @param needsSlot true where a replication slot has to be created
   * @throws LakestreamException SOURCE_NOT_READY or SOURCE_REFUSED with the SQL that mends it
   */
  static void check(PostgresConnection source, boolean needsSlot) {
    PostgresChecks checks = new PostgresChecks(source);
    Server server = checks.server();
    checks.checkServer(server);
    checks.checkRole();
    checks.checkRoom(server, needsSlot);
    LOG.info(
        "Source is ready: source={} version={} slotsUsed={} sendersUsed={}",
        checks.config.name(),
        server.version(),
        server.slotsUsed(),
        server.sendersUsed());
  }

  private Server server() {
    return source.one(
        "read the settings",
        """
        select current_setting('server_version_num')::int, pg_is_in_recovery(),
          current_setting('wal_level'), current_setting('max_replication_slots')::int,
          (select count(*)::int from pg_replication_slots),
          current_setting('max_wal_senders')::int,
          (select count(*)::int from pg_stat_replication)
        """,
        row ->
            new Server(
                row.getInt(1),
                row.getBoolean(2),
                row.getString(3),
                row.getInt(4),
                row.getInt(5),
                row.getInt(6),
                row.getInt(7)));
  }

  private void checkServer(Server server) {
    if (server.version() < OLDEST_VERSION) {
      throw new LakestreamException(
          ErrorCode.SOURCE_NOT_READY,
          "Cannot capture source %s: its PostgreSQL is version %s, and Lakestream needs 14 or newer. Upgrade the server.",
          config.name(),
          server.version() / 10_000);
    }
    if (server.standby()) {
      throw new LakestreamException(
          ErrorCode.SOURCE_NOT_READY,
          "Cannot capture source %s: the server at %s is a standby. Point sources.%s.host to the primary.",
          config.name(),
          config.address(),
          config.name());
    }
    if (!server.walLevel().equals("logical")) {
      throw new LakestreamException(
          ErrorCode.SOURCE_NOT_READY,
          "Cannot capture source %s: wal_level is %s and must be logical. Run ALTER SYSTEM SET wal_level = 'logical'; and restart PostgreSQL.",
          config.name(),
          server.walLevel());
    }
  }

  private void checkRole() {
    // Some hosted servers grant replication through a role of their own.
    boolean may =
        source.one(
            "read the role",
            """
            select rolsuper or rolreplication or exists (
              select from pg_roles g where g.rolname = 'rds_replication'
                and pg_has_role(r.oid, g.oid, 'member'))
            from pg_roles r where rolname = current_user
            """,
            row -> row.getBoolean(1));
    if (!may) {
      throw new LakestreamException(
          ErrorCode.SOURCE_REFUSED,
          "Cannot capture source %s: role %s lacks the REPLICATION right. Run ALTER ROLE %s REPLICATION; as a superuser.",
          config.name(),
          config.user(),
          PostgresSql.quote(config.user()));
    }
  }

  private void checkRoom(Server server, boolean needsSlot) {
    if (needsSlot && server.slotsUsed() >= server.slotsMax()) {
      throw new LakestreamException(
          ErrorCode.SOURCE_NOT_READY,
          "Cannot capture source %s: no replication slot is free (max_replication_slots is %s, all in use). Drop one with SELECT pg_drop_replication_slot('<name>'); or run ALTER SYSTEM SET max_replication_slots = %s; and restart PostgreSQL.",
          config.name(),
          server.slotsMax(),
          server.slotsMax() + 5);
    }
    if (server.sendersUsed() >= server.sendersMax()) {
      throw new LakestreamException(
          ErrorCode.SOURCE_NOT_READY,
          "Cannot capture source %s: no WAL sender is free (max_wal_senders is %s, all in use). Run ALTER SYSTEM SET max_wal_senders = %s; and restart PostgreSQL.",
          config.name(),
          server.sendersMax(),
          server.sendersMax() + 5);
    }
  }
}
