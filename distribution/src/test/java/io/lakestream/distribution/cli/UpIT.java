package io.lakestream.distribution.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.distribution.Main;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources that cannot be captured: one clear line, an exit code, nothing left behind. */
class UpIT {
  private static EmbeddedPostgres server;

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path passwordFile;

  @BeforeAll
  static void startServer() throws Exception {
    // wal_level stays at replica. Everyone but the superuser needs a password.
    server =
        EmbeddedPostgres.builder()
            .setDataDirectoryCustomizer(UpIT::askForPasswords)
            .setServerConfig("wal_level", "replica")
            .start();
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE ROLE reader LOGIN REPLICATION PASSWORD 'right'");
    }
  }

  private static void askForPasswords(java.io.File data) {
    try {
      Files.writeString(
          data.toPath().resolve("pg_hba.conf"),
          """
          host all postgres 127.0.0.1/32 trust
          host all postgres ::1/128 trust
          host all all 127.0.0.1/32 scram-sha-256
          """);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @AfterAll
  static void stopServer() throws Exception {
    server.close();
  }

  @BeforeEach
  void writePassword() throws Exception {
    passwordFile = Files.writeString(folder.resolve("password"), "right\n");
  }

  @Test
  void anUnreachableDatabaseIsNamedBeforeAnythingStarts() throws Exception {
    assertThat(up(1, "")).isEqualTo(ExitCode.EXTERNAL);

    assertThat(err.toString()).contains("source shop").contains("127.0.0.1:1/postgres");
    assertOneLineAndNothingStarted();
  }

  @Test
  void aWrongPasswordIsSaidAndNotShown() throws Exception {
    Files.writeString(passwordFile, "wrong-and-secret\n");

    assertThat(up(server.getPort(), "")).isEqualTo(ExitCode.EXTERNAL);

    assertThat(err.toString())
        .contains("source shop")
        .contains("user reader")
        .containsIgnoringCase("password")
        .doesNotContain("wrong-and-secret");
    assertOneLineAndNothingStarted();
  }

  @Test
  void aMissingPasswordVariableIsNamed() throws Exception {
    Path config =
        Files.writeString(
            folder.resolve("env.yaml"),
            "data: %s\nsources: {shop: {database: postgres, password-env: LAKESTREAM_TEST_UNSET}}"
                .formatted(folder.resolve("data")));

    assertThat(run("up", "--config", config.toString())).isEqualTo(ExitCode.USER);

    assertThat(err.toString()).contains("LAKESTREAM_TEST_UNSET").contains("is not set");
    assertOneLineAndNothingStarted();
  }

  @Test
  void aWrongWalLevelIsNamedBeforeAnythingStarts() throws Exception {
    assertThat(up(server.getPort(), "")).isEqualTo(ExitCode.EXTERNAL);

    assertThat(err.toString())
        .contains("wal_level is replica and must be logical")
        .contains("ALTER SYSTEM SET wal_level");
    assertOneLineAndNothingStarted();
  }

  @Test
  void theCheckListNamesWhatIsMissingWithTheStatementThatMendsIt() throws Exception {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE good (id int PRIMARY KEY, v text)");
      statement.execute("GRANT SELECT ON good TO reader");
      statement.execute("CREATE TABLE hidden (id int PRIMARY KEY)");
    }
    try {
      assertThat(check("table")).isEqualTo(ExitCode.DIFFERENCES);
      assertThat(out.toString().lines().map(line -> line.replaceAll(" {2,}", "|")).toList())
          .contains(
              "shop|PostgreSQL|14 or newer|17|ok",
              "shop|wal_level|logical|replica|missing",
              "|wal_level: Run ALTER SYSTEM SET wal_level = 'logical'; and restart PostgreSQL.",
              "shop|role reader|REPLICATION|REPLICATION|ok",
              "shop|table public.good|a key, exact types|key (id), 2 columns|ok",
              "checked source=shop requirements=10 missing=3")
          .anySatisfy(
              line -> assertThat(line).contains("publication").contains("CREATE PUBLICATION"))
          .anySatisfy(
              line ->
                  assertThat(line)
                      .contains("table public.hidden: ")
                      .contains("GRANT SELECT ON \"public\".\"hidden\" TO \"reader\";"));
      assertThat(check("json")).isEqualTo(ExitCode.DIFFERENCES);
      assertThat(out.toString()).contains("\"met\" : false").contains("\"name\" : \"wal_level\"");
      assertThat(folder.resolve("data")).doesNotExist();
    } finally {
      try (Connection connection = server.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute("DROP TABLE good, hidden");
      }
    }
  }

  private int check(String format) throws IOException {
    up(server.getPort(), ""); // writes the configuration
    out.getBuffer().setLength(0);
    return run(
        "cdc",
        "check",
        "--config",
        folder.resolve("lakestream.yaml").toString(),
        "--format",
        format);
  }

  @Test
  void theFaultsOfAllSourcesAreSaidAtOnce() throws Exception {
    String other =
        """
          other:
            port: 1
            database: elsewhere
            user: nobody
        """;
    assertThat(up(server.getPort(), other.stripTrailing())).isEqualTo(ExitCode.EXTERNAL);

    assertThat(err.toString().lines())
        .satisfiesExactly(
            line -> assertThat(line).contains("source shop is not captured").contains("wal_level"),
            line -> assertThat(line).contains("source other is not captured").contains(":1/"),
            line -> assertThat(line).contains("none of the 2 sources can be captured"));
    assertThat(folder.resolve("data")).doesNotExist();
  }

  private void assertOneLineAndNothingStarted() {
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString()).startsWith("lakestream: ");
    assertThat(folder.resolve("data")).doesNotExist();
  }

  private int up(int port, String more) throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("lakestream.yaml"),
            """
            data: %s
            sources:
              shop:
                port: %s
                database: postgres
                user: reader
                password-file: %s
            %s
            """
                .formatted(folder.resolve("data"), port, passwordFile, more));
    return run("up", "--config", config.toString());
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
