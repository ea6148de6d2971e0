package io.lakestream.cdc;

import io.lakestream.cdc.source.Secret;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceType;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A real PostgreSQL for one test class; each test makes a database of its own. */
final class TestSource implements BeforeAllCallback, AfterAllCallback {
  private final List<String[]> settings = new ArrayList<>();
  private Optional<Integer> version = Optional.empty();
  private EmbeddedPostgres postgres;

  TestSource with(String setting, String value) {
    settings.add(new String[] {setting, value});
    return this;
  }

  static TestSource logical() {
    return new TestSource()
        .with("wal_level", "logical")
        .with("max_replication_slots", "40")
        .with("max_wal_senders", "40");
  }

  /** Another major version than the one on the class path; the build brings its binaries. */
  TestSource version(int major) {
    version = Optional.of(major);
    return this;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    start();
  }

  void start() {
    try {
      var builder = EmbeddedPostgres.builder();
      version.ifPresent(major -> builder.setPgBinaryResolver(binaries(major)));
      for (String[] setting : settings) {
        builder.setServerConfig(setting[0], setting[1]);
      }
      postgres = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static PgBinaryResolver binaries(int major) {
    return (system, hardware) -> {
      Path folder = Path.of("target", "postgres");
      Path jar;
      try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*-" + major + ".*.jar")) {
        jar = jars.iterator().next();
      }
      try (FileSystem content = FileSystems.newFileSystem(jar);
          DirectoryStream<Path> archives =
              Files.newDirectoryStream(content.getPath("/"), "postgres-*.txz")) {
        return new ByteArrayInputStream(Files.readAllBytes(archives.iterator().next()));
      }
    };
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    stop();
  }

  void stop() throws IOException {
    postgres.close();
  }

  int port() {
    return postgres.getPort();
  }

  Connection connect(String database) {
    try {
      return postgres.getDatabase("postgres", database).getConnection();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs statements, each by itself; text between BEGIN and COMMIT is one. */
  void run(String database, String... statements) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Makes the server ask a role for its password: the embedded one trusts everybody. */
  void askForPasswords(String role) {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet file = statement.executeQuery("show hba_file")) {
      file.next();
      Path path = Path.of(file.getString(1));
      String rule = "host all " + role + " 127.0.0.1/32 scram-sha-256\n";
      Files.writeString(path, rule + Files.readString(path));
    } catch (SQLException | IOException e) {
      throw new IllegalStateException(e);
    }
    run("postgres", "select pg_reload_conf()");
  }

  /** Makes a database with the given content. */
  void createDatabase(String database, String... statements) {
    run("postgres", "create database " + database);
    run(database, statements);
  }

  SourceConfig config(String name, String database) {
    return config(name, database, "postgres", "postgres", List.of("public.*"));
  }

  SourceConfig config(
      String name, String database, String user, String password, List<String> include) {
    return new SourceConfig(
        name,
        SourceType.POSTGRES,
        "127.0.0.1",
        port(),
        database,
        user,
        Secret.of(password),
        include,
        List.of(),
        2,
        Duration.ofMillis(200));
  }

  static String quote(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  /** Up to where the slot of a database's only source has been acknowledged. */
  String confirmedPosition(String database) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement();
        ResultSet slot =
            statement.executeQuery(
                "select confirmed_flush_lsn from pg_replication_slots"
                    + " where database = current_database()")) {
      slot.next();
      return slot.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Rows of a table as PostgreSQL prints them, ordered; NULL as null. */
  List<String> rows(String database, String table, List<String> columns) {
    StringBuilder sql = new StringBuilder("select ");
    for (int i = 0; i < columns.size(); i++) {
      String column = quote(columns.get(i));
      // format() does not cut the padding of char(n) off, as a cast to text does.
      sql.append(i == 0 ? "" : ", ")
          .append(
              "case when pg_typeof(%1$s) = 'boolean'::regtype then %1$s::text".formatted(column))
          .append(" when num_nulls(%1$s) = 0 then format('%%s', %1$s) end".formatted(column));
    }
    sql.append(" from ").append(table);
    TreeMap<String, Integer> rows = new TreeMap<>();
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      for (String setting :
          List.of(
              "TimeZone = 'UTC'",
              "DateStyle = 'ISO'",
              "IntervalStyle = 'postgres'",
              "bytea_output = 'hex'",
              "extra_float_digits = 1",
              "quote_all_identifiers = off",
              "search_path = pg_catalog")) {
        statement.execute("set " + setting);
      }
      try (ResultSet result = statement.executeQuery(sql.toString())) {
        while (result.next()) {
          List<String> row = new ArrayList<>();
          for (int i = 1; i <= columns.size(); i++) {
            row.add(result.getString(i));
          }
          rows.merge(String.valueOf(row), 1, Integer::sum);
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return rows.entrySet().stream().map(e -> e.getKey() + " x" + e.getValue()).toList();
  }
}
