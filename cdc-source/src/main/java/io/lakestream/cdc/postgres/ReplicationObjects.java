package io.lakestream.cdc.postgres;

import io.lakestream.cdc.source.Requirement;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The replication slot and the publication that a source has in PostgreSQL. */
final class ReplicationObjects {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicationObjects.class);

  /**
   * A slot as it is now.
   *
   * @param lost true where PostgreSQL has thrown away log that the slot still needs
   * @param confirmed up to where the slot's reader has acknowledged
   */
  record Slot(boolean active, boolean lost, SourcePosition confirmed) {}

  private final PostgresConnection source;
  private final SourceConfig config;
  private final String name;

  ReplicationObjects(PostgresConnection source) {
    this.source = source;
    this.config = source.config();
    this.name = ReplicationNames.of(config.name());
  }

  /** Finds our slot. */
  Optional<Slot> slot() {
    return Optional.ofNullable(
        source.one(
            "read the replication slot",
            """
            select active, coalesce(wal_status, '') = 'lost',
              coalesce(confirmed_flush_lsn, restart_lsn, '0/0')::text
            from pg_replication_slots where slot_name = ? and database = current_database()
            """,
            row ->
                new Slot(
                    row.getBoolean(1),
                    row.getBoolean(2),
                    SourcePosition.parseLsn(row.getString(3))),
            name));
  }

  /** What is lost of the changes since a position. */
  Optional<String> findLoss(Optional<SourcePosition> acknowledged) {
    Optional<Slot> slot = slot();
    if (slot.isEmpty()) {
      return Optional.of("replication slot " + name + " is gone");
    }
    if (slot.get().lost()) {
      return Optional.of(
          "PostgreSQL removed log that replication slot "
              + name
              + " still needed (max_slot_wal_keep_size)");
    }
    SourcePosition confirmed = slot.get().confirmed();
    if (acknowledged.isPresent() && !acknowledged.get().covers(confirmed)) {
      // Somebody else read from the slot, or dropped it and made one of the same name.
      return Optional.of(
          "replication slot %s stands at %s, and captured is only what lies before %s"
              .formatted(name, confirmed, acknowledged.get()));
    }
    return Optional.empty();
  }

  /** Drops our slot; does nothing without one. */
  void dropSlot() {
    if (slot().isEmpty()) {
      return;
    }
    try {
      source.execute("select pg_drop_replication_slot(" + PostgresSql.literal(name) + ")");
      LOG.info("Dropped replication slot: source={} slot={}", config.name(), name);
    } catch (SQLException e) {
      if (PostgresErrors.state(e).equals("55006")) {
        throw inUse(e);
      }
      throw PostgresErrors.ofStatement(config, "drop replication slot " + name, e);
    }
  }

  /** Creates our slot. From here on PostgreSQL keeps its log for us. */
  void createSlot() {
    try {
      source.execute(
          "select pg_create_logical_replication_slot("
              + PostgresSql.literal(name)
              + ", 'pgoutput')");
      LOG.info("Created replication slot: source={} slot={}", config.name(), name);
    } catch (SQLException e) {
      throw PostgresErrors.ofStatement(config, "create replication slot " + name, e);
    }
  }

  /** The error where another process reads from our slot. */
  LakestreamException inUse(SQLException cause) {
    return new LakestreamException(
        cause,
        ErrorCode.SOURCE_NOT_READY,
        "Cannot capture source %s: replication slot %s is in use by another process. Stop the other Lakestream that captures a source of this name from %s, or rename this one.",
        config.name(),
        name,
        config.address());
  }

  /**
   * Makes the publication hold exactly these tables. A publication that does already is left alone,
   * so that an administrator can make it for a role that may not.
   */
  void publish(List<SourceTable> tables) {
    publish(tables, false);
  }

  /** Whether {@link #publish(List)} could be done; leaves the publication as it is. */
  Requirement publication(List<SourceTable> tables) {
    String required = "holds " + tables.size() + " tables, or may be made";
    try {
      publish(tables, true);
      return Requirement.met("publication " + name, required, "so it is");
    } catch (LakestreamException e) {
      if (e.code() == ErrorCode.SOURCE_UNREACHABLE) {
        throw e;
      }
      return Requirement.missing(
          "publication " + name, required, "may not be made", e.getMessage(), e);
    }
  }

  private void publish(List<SourceTable> tables, boolean undo) {
    Set<String> wanted =
        tables.stream().map(PostgresSql::name).collect(Collectors.toCollection(TreeSet::new));
    boolean exists =
        source.one(
            "look for the publication",
            "select exists (select from pg_publication where pubname = ?)",
            row -> row.getBoolean(1),
            name);
    if (exists && published().equals(wanted)) {
      return;
    }
    String list = String.join(", ", wanted);
    String sql =
        exists
            ? "ALTER PUBLICATION " + name + " SET TABLE " + list
            : "CREATE PUBLICATION " + name + " FOR TABLE " + list;
    try {
      if (undo) {
        source.executeAndUndo(sql);
        return;
      }
      source.execute(sql);
      LOG.info(
          "Publication is ready: source={} publication={} tables={}",
          config.name(),
          name,
          wanted.size());
    } catch (SQLException e) {
      if (PostgresErrors.state(e).equals("42501")) {
        throw new LakestreamException(
            e,
            ErrorCode.SOURCE_REFUSED,
            "Cannot publish the tables of source %s: PostgreSQL says %s. Role %s needs CREATE on database %s and must own the tables (GRANT CREATE ON DATABASE %s TO %s; ALTER TABLE … OWNER TO %s;), or let a superuser run: %s;",
            config.name(),
            PostgresErrors.firstLine(e),
            config.user(),
            config.database(),
            PostgresSql.quote(config.database()),
            PostgresSql.quote(config.user()),
            PostgresSql.quote(config.user()),
            sql);
      }
      throw PostgresErrors.ofStatement(config, "publish the tables", e);
    }
  }

  private Set<String> published() {
    return new TreeSet<>(
        source.list(
            "read the publication",
            "select schemaname, tablename from pg_publication_tables where pubname = ?",
            row -> PostgresSql.quote(row.getString(1)) + "." + PostgresSql.quote(row.getString(2)),
            name));
  }

  String name() {
    return name;
  }
}
