package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.cdc.postgres.PostgresConnection;
import io.lakestream.cdc.source.Discovery;
import io.lakestream.cdc.source.Secret;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceType;
import io.lakestream.cdc.source.Tls;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.fixture.SharedFluss;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each thing that a source can lack gives one message with the way out, and starts nothing. */
@ExtendWith(SharedFluss.class)
class SourceChecksIT {
  @RegisterExtension
  static final TestSource SOURCE =
      new TestSource()
          .with("wal_level", "logical")
          .with("max_replication_slots", "2")
          .with("max_wal_senders", "4");

  @RegisterExtension static final TestSource REPLICA_LEVEL = new TestSource();

  private static AbstractThrowableAssert<?, ?> assertRefused(SourceConfig config, ErrorCode code) {
    return assertThatThrownBy(() -> CaptureEngine.start(config, SharedFluss.tables()))
        .isInstanceOfSatisfying(
            LakestreamException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static SourceConfig at(String host, int port) {
    return new SourceConfig(
        "checks",
        SourceType.POSTGRES,
        host,
        port,
        "postgres",
        "postgres",
        Secret.of("marker-password"),
        List.of("public.*"),
        List.of(),
        1,
        Duration.ofSeconds(1));
  }

  @Test
  void nobodyListens() {
    assertRefused(at("127.0.0.1", 1), ErrorCode.SOURCE_UNREACHABLE)
        .hasMessageContaining("Cannot reach source checks at 127.0.0.1:1/postgres")
        .hasMessageContaining("sources.checks.host")
        .hasMessageNotContaining("marker-password");
  }

  @Test
  void aHostNameThatDoesNotResolveIsNamedAsSuch() {
    assertRefused(at("no-such-host.invalid", 5432), ErrorCode.SOURCE_UNREACHABLE)
        .hasMessageContaining("the host name no-such-host.invalid is not known on this machine")
        .hasMessageContaining("sources.checks.host");
  }

  @Test
  void whatAFirstCaptureNeedsCanBeAskedWithoutChangingTheSource() {
    SOURCE.createDatabase(
        "ask", "create table t (id int primary key)", "create table keyless (a int)");
    SOURCE.run(
        "ask", "create role asks login replication password 'p'", "grant select on t to asks");
    try (PostgresConnection may = PostgresConnection.open(SOURCE.config("asked", "ask"));
        PostgresConnection mayNot =
            PostgresConnection.open(
                SOURCE.config("asked", "ask", "asks", "p", List.of("public.t")));
        PostgresConnection nothing =
            PostgresConnection.open(
                SOURCE.config("asked", "ask", "postgres", "p", List.of("public.keyless")))) {
      may.checkFirstCapture(may.discover());
      assertThat(may.currentPosition()).as("the connection goes on").isNotNull();
      assertThatThrownBy(() -> mayNot.checkFirstCapture(mayNot.discover()))
          .hasMessageContaining("CREATE PUBLICATION lakestream_asked FOR TABLE");
      assertThatThrownBy(() -> nothing.checkFirstCapture(nothing.discover()))
          .hasMessageContaining("none of the 1 tables that match can be captured");
    }
    assertThat(SOURCE.rows("ask", "pg_publication", List.of("pubname"))).isEmpty();
  }

  @Test
  void wrongPasswordUserOrDatabase() {
    SOURCE.run("postgres", "create role known login password 'right'");
    SOURCE.askForPasswords("known");
    assertRefused(
            SOURCE.config("checks", "postgres", "known", "wrong", List.of("public.*")),
            ErrorCode.SOURCE_REFUSED)
        .hasMessageContaining("user known");
    assertRefused(SOURCE.config("checks", "nowhere"), ErrorCode.SOURCE_REFUSED)
        .hasMessageContaining("has no database nowhere")
        .hasMessageContaining("sources.checks.database");
  }

  @Test
  void encryptionIsAskedForAndTheServerHasNone() {
    SourceConfig config = REPLICA_LEVEL.config("plain", "postgres");
    assertThatThrownBy(() -> PostgresConnection.open(config.withTls(new Tls(Tls.Mode.REQUIRE, ""))))
        .hasMessageContaining("with ssl: require: The server does not support SSL. Check")
        .hasMessageContaining("sources.plain.ssl");
    PostgresConnection.open(config.withTls(Tls.PREFERRED)).close();
  }

  @Test
  void walLevelIsNotLogical() {
    assertRefused(REPLICA_LEVEL.config("checks", "postgres"), ErrorCode.SOURCE_NOT_READY)
        .hasMessageContaining("wal_level is replica")
        .hasMessageContaining("ALTER SYSTEM SET wal_level = 'logical'");
  }

  @Test
  void theRoleLacksReplicationOrThePublicationRight() {
    SOURCE.createDatabase("roles", "create table t (id int primary key)");
    SOURCE.run("roles", "create role plain login password 'p'", "grant select on t to plain");
    SourceConfig config = SOURCE.config("checks", "roles", "plain", "p", List.of("public.*"));
    assertRefused(config, ErrorCode.SOURCE_REFUSED)
        .hasMessageContaining("role plain lacks the REPLICATION right")
        .hasMessageContaining("ALTER ROLE \"plain\" REPLICATION");
    SOURCE.run("roles", "alter role plain replication");
    assertRefused(config, ErrorCode.SOURCE_REFUSED)
        .hasMessageContaining("CREATE on database roles")
        .hasMessageContaining("CREATE PUBLICATION lakestream_checks FOR TABLE \"public\".\"t\"");
    // With the publication made by somebody who may, the role is enough.
    SOURCE.run(
        "roles", "create publication lakestream_checks for table t", "insert into t values (1)");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.assertSame("public", "t", captured.awaitNow(engine));
    }
    SOURCE.run("roles", "select pg_drop_replication_slot('lakestream_checks')");
  }

  @Test
  void noReplicationSlotIsFree() {
    SOURCE.createDatabase("slots", "create table t (id int primary key)");
    SOURCE.run(
        "slots",
        "select pg_create_physical_replication_slot('one')",
        "select pg_create_physical_replication_slot('two')");
    try {
      assertRefused(SOURCE.config("full", "slots"), ErrorCode.SOURCE_NOT_READY)
          .hasMessageContaining("no replication slot is free (max_replication_slots is 2")
          .hasMessageContaining("ALTER SYSTEM SET max_replication_slots");
    } finally {
      SOURCE.run(
          "slots",
          "select pg_drop_replication_slot('one')",
          "select pg_drop_replication_slot('two')");
    }
  }

  @Test
  void noTableMatches() {
    SOURCE.createDatabase("nothing", "create table t (id int primary key)");
    assertRefused(
            SOURCE.config("checks", "nothing", "postgres", "postgres", List.of("shop.*")),
            ErrorCode.UNKNOWN_TABLE)
        .hasMessageContaining("no table of database nothing matches [shop.*]");
  }

  @Test
  void aTableThatCannotBeCapturedIsNamedAndTheOthersGoOn() {
    SOURCE.createDatabase(
        "tables",
        "create table good (id int primary key)",
        "create table keyless (id int)",
        "create table float_key (d double precision primary key)",
        "create table quoted (id int primary key, \"'x\" int)",
        "create table no_identity (id int primary key)",
        "alter table no_identity replica identity nothing",
        "create table deferred (id int primary key deferrable)",
        "create table generated_column (id int primary key, g int generated always as (id + 1) stored)",
        "create table twins (id int primary key, \"ID\" int)",
        "create table bucket (id int primary key, __bucket int)",
        "create unlogged table unlogged (id int primary key)",
        "create table partitioned (id int primary key) partition by range (id)",
        "create table partition_1 partition of partitioned for values from (0) to (10)",
        "create table unreadable (id int primary key)",
        "create role reader login replication password 'r'",
        "grant create on database tables to reader",
        "alter table good owner to reader");
    SOURCE.run(
        "tables",
        "do $$ declare t text; begin for t in select tablename from pg_tables where schemaname = 'public' and tablename <> 'unreadable' loop execute format('grant select on %I to reader', t); end loop; end $$");
    SourceConfig config = SOURCE.config("tables", "tables", "reader", "r", List.of("public.*"));
    try (PostgresConnection source = PostgresConnection.open(config)) {
      Discovery discovery = source.discover();
      assertThat(discovery.definitions())
          .singleElement()
          .satisfies(d -> assertThat(d.name().display()).isEqualTo("public.good"));
      assertReason(discovery, "keyless", "has no primary key");
      assertReason(discovery, "float_key", "key column d has type double precision");
      assertReason(discovery, "quoted", "begins with a quote");
      assertReason(discovery, "no_identity", "REPLICA IDENTITY DEFAULT");
      assertReason(discovery, "deferred", "deferrable");
      assertReason(
          discovery,
          "generated_column",
          "table-settings.'public.generated_column'.columns.'g'.type: skip");
      assertReason(discovery, "twins", "upper and lower case");
      assertReason(discovery, "bucket", "__bucket");
      assertReason(discovery, "unlogged", "not logged");
      assertReason(discovery, "partitioned", "partitioned");
      assertReason(
          discovery, "unreadable", "GRANT SELECT ON \"public\".\"unreadable\" TO \"reader\"");
      assertThat(discovery.refusals()).hasSize(11);
    }
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.assertSame("public", "good", captured.awaitNow(engine));
      assertThat(engine.status().tables()).hasSize(12);
    }
    SOURCE.run("tables", "select pg_drop_replication_slot('lakestream_tables')");
  }

  private static void assertReason(Discovery discovery, String table, String text) {
    assertThat(discovery.refusals())
        .filteredOn(refusal -> refusal.table().equals(table))
        .singleElement()
        .satisfies(refusal -> assertThat(refusal.reason()).contains(text));
  }
}
