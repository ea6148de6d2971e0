package io.lakestream.cdc.postgres;

import io.lakestream.cdc.source.Requirement;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.error.ErrorCode;
import java.util.List;
import java.util.Optional;

/** Checks that a server can be captured, before anything is created in it or in Fluss. */
final class PostgresChecks {
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
   * Asks for version, wal_level, the role's rights, a replication slot and a free WAL sender.
   *
   * @param slot our replication slot; empty where there is none
   * @param needsSlot true where a replication slot has to be created
   */
  static List<Requirement> list(
      PostgresConnection source, Optional<String> slot, boolean needsSlot) {
    PostgresChecks checks = new PostgresChecks(source);
    Server server = checks.server();
    return List.of(
        checks.version(server),
        checks.primary(server),
        checks.walLevel(server),
        checks.role(),
        checks.slot(server, slot, needsSlot),
        checks.sender(server));
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

  private Requirement version(Server server) {
    String found = String.valueOf(server.version() / 10_000);
    return Requirement.of(
        config.name(),
        server.version() >= OLDEST_VERSION,
        ErrorCode.SOURCE_NOT_READY,
        "PostgreSQL",
        "14 or newer",
        found,
        "its PostgreSQL is version " + found + ", and Lakestream needs 14 or newer",
        "Upgrade the server.");
  }

  private Requirement primary(Server server) {
    return Requirement.of(
        config.name(),
        !server.standby(),
        ErrorCode.SOURCE_NOT_READY,
        "server",
        "primary",
        server.standby() ? "standby" : "primary",
        "the server at " + config.address() + " is a standby",
        "Point sources." + config.name() + ".host to the primary.");
  }

  private Requirement walLevel(Server server) {
    return Requirement.of(
        config.name(),
        server.walLevel().equals("logical"),
        ErrorCode.SOURCE_NOT_READY,
        "wal_level",
        "logical",
        server.walLevel(),
        "wal_level is " + server.walLevel() + " and must be logical",
        "Run ALTER SYSTEM SET wal_level = 'logical'; and restart PostgreSQL.");
  }

  private Requirement role() {
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
    return Requirement.of(
        config.name(),
        may,
        ErrorCode.SOURCE_REFUSED,
        "role " + config.user(),
        "REPLICATION",
        may ? "REPLICATION" : "lacks it",
        "role " + config.user() + " lacks the REPLICATION right",
        "Run ALTER ROLE " + PostgresSql.quote(config.user()) + " REPLICATION; as a superuser.");
  }

  private Requirement slot(Server server, Optional<String> ours, boolean needsSlot) {
    String found =
        ours.map(name -> name + " is there")
            .orElse("%s of %s in use".formatted(server.slotsUsed(), server.slotsMax()));
    return Requirement.of(
        config.name(),
        !needsSlot || server.slotsUsed() < server.slotsMax(),
        ErrorCode.SOURCE_NOT_READY,
        "replication slot",
        "ours, or a free one",
        found,
        "no replication slot is free (max_replication_slots is %s, all in use)"
            .formatted(server.slotsMax()),
        "Drop one with SELECT pg_drop_replication_slot('<name>'); or run ALTER SYSTEM SET max_replication_slots = %s; and restart PostgreSQL."
            .formatted(server.slotsMax() + 5));
  }

  private Requirement sender(Server server) {
    return Requirement.of(
        config.name(),
        server.sendersUsed() < server.sendersMax(),
        ErrorCode.SOURCE_NOT_READY,
        "WAL sender",
        "a free one",
        "%s of %s in use".formatted(server.sendersUsed(), server.sendersMax()),
        "no WAL sender is free (max_wal_senders is %s, all in use)".formatted(server.sendersMax()),
        "Run ALTER SYSTEM SET max_wal_senders = %s; and restart PostgreSQL."
            .formatted(server.sendersMax() + 5));
  }
}
