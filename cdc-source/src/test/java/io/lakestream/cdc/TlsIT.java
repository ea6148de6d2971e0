package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.cdc.source.Secret;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.cdc.source.Tls;
import io.lakestream.tables.fixture.SharedFluss;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Encrypted connections to real servers, whose certificate is issued to localhost. */
@ExtendWith(SharedFluss.class)
class TlsIT {
  private static final TestCertificates FILES = TestCertificates.create();

  @RegisterExtension
  static final TestSource POSTGRES =
      TestSource.logical()
          .with("ssl", "on")
          .with("ssl_cert_file", FILES.certificate())
          .with("ssl_key_file", FILES.key());

  @RegisterExtension
  static final TestMariaDb MARIADB =
      new TestMariaDb().with("--ssl-cert=" + FILES.certificate()).with("--ssl-key=" + FILES.key());

  private static SourceConfig at(SourceConfig c, String host, String user, Tls tls) {
    return new SourceConfig(
            c.name(),
            c.type(),
            host,
            c.port(),
            c.database(),
            user,
            Secret.of(user.equals("safe") ? "safe" : c.password().reveal()),
            c.include(),
            c.exclude(),
            c.buckets(),
            c.heartbeat())
        .withTls(tls);
  }

  private static Tls verified(Tls.Mode mode) {
    return new Tls(mode, FILES.authority());
  }

  private static void assertRefused(SourceConfig config, String mode) {
    assertThatThrownBy(() -> SourceConnection.open(config))
        .hasMessageContaining("with ssl: " + mode + ": ")
        .hasMessageContaining("Check sources." + config.name() + ".ssl and ssl-root-cert");
  }

  /** What is common to the databases. */
  private static void assertVerified(SourceConfig config) {
    for (Tls.Mode mode : List.of(Tls.Mode.VERIFY_CA, Tls.Mode.VERIFY_FULL)) {
      SourceConnection.open(at(config, "localhost", config.user(), verified(mode))).close();
      Tls another = new Tls(mode, FILES.otherAuthority());
      assertRefused(at(config, "localhost", config.user(), another), mode.text());
      assertRefused(at(config, "localhost", config.user(), new Tls(mode, "")), mode.text());
    }
    Tls ca = verified(Tls.Mode.VERIFY_CA);
    SourceConnection.open(at(config, "127.0.0.1", config.user(), ca)).close();
    Tls full = verified(Tls.Mode.VERIFY_FULL);
    assertRefused(at(config, "127.0.0.1", config.user(), full), "verify-full");
  }

  @Test
  void aPostgresIsCopiedAndStreamedWithItsCertificateVerified() {
    POSTGRES.createDatabase(
        "tls", "create table t (id int primary key, v text)", "insert into t values (1, 'copied')");
    POSTGRES.run("postgres", "create role safe superuser replication login password 'safe'");
    SourceConfig config = POSTGRES.config("pg_tls", "tls");
    assertVerified(config);
    SourceConfig full = at(config, "localhost", "safe", verified(Tls.Mode.VERIFY_FULL));
    try (CaptureEngine engine = CaptureEngine.start(full, SharedFluss.tables())) {
      POSTGRES.run("tls", "insert into t values (2, 'streamed')");
      Captured captured = new Captured(POSTGRES, full, SharedFluss.tables());
      captured.assertSame("public", "t", captured.awaitNow(engine));
      assertThat(
              POSTGRES.rows(
                  "tls",
                  "pg_stat_ssl s join pg_stat_activity a using (pid) where a.usename = 'safe' and a.backend_type = 'walsender'",
                  List.of("ssl")))
          .containsExactly("[true] x1");
      assertThat(
              POSTGRES.rows(
                  "tls",
                  "pg_stat_ssl s join pg_stat_activity a using (pid) where a.usename = 'safe' and not ssl",
                  List.of("ssl")))
          .isEmpty();
    }
  }

  @Test
  void aMariaDbIsCopiedAndStreamedWithItsCertificateVerified() {
    MARIADB.createDatabase(
        "tls",
        "create table t (id int primary key, v text)",
        "insert into t values (1, 'copied')",
        "create user safe@'%' identified by 'safe' require ssl",
        "grant replication slave, binlog monitor on *.* to safe@'%'",
        "grant select on tls.* to safe@'%'");
    SourceConfig config = MARIADB.config("my_tls", "tls");
    assertVerified(config);
    // The server lets this user in with encryption only, the reader of the binlog included.
    SourceConfig full = at(config, "localhost", "safe", verified(Tls.Mode.VERIFY_FULL));
    assertThatThrownBy(
            () ->
                SourceConnection.open(
                    at(config, "localhost", "safe", new Tls(Tls.Mode.DISABLE, ""))))
        .hasMessageContaining("user safe");
    try (CaptureEngine engine = CaptureEngine.start(full, SharedFluss.tables())) {
      MARIADB.run("tls", "insert into t values (2, 'streamed')");
      new CapturedMariaDb(MARIADB, full).assertSame(engine, "t");
    }
    SourceConfig preferred = at(config, "127.0.0.1", "safe", Tls.PREFERRED);
    try (CaptureEngine engine = CaptureEngine.start(preferred, SharedFluss.tables())) {
      MARIADB.run("tls", "insert into t values (3, 'preferred')");
      new CapturedMariaDb(MARIADB, preferred).assertSame(engine, "t");
    }
    MARIADB.stop();
    MARIADB.start("--skip-ssl");
    assertRefused(at(config, "localhost", config.user(), new Tls(Tls.Mode.REQUIRE, "")), "require");
    SourceConnection.open(config).close();
  }
}
