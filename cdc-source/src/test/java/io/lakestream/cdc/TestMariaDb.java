package io.lakestream.cdc;

import static org.awaitility.Awaitility.await;

import io.lakestream.cdc.source.Secret;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceType;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.TextForm;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A real MariaDB for one test class; each test makes a database of its own. Where no mariadbd is
 * installed the tests of the class do not run, and say so; with CI_REQUIRES_MARIADB they fail.
 */
public final class TestMariaDb implements BeforeAllCallback, AfterAllCallback {
  public static final String USER = "lakestream";
  public static final String PASSWORD = "p@ss: %/$";

  private final List<String> options = new ArrayList<>();
  private Path folder;
  private Process server;
  private int port;

  public TestMariaDb with(String option) {
    options.add(option);
    return this;
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    Optional<Path> mariadbd = find("mariadbd");
    if (mariadbd.isEmpty()) {
      String line =
          "NOT RUN: "
              + context.getDisplayName()
              + " (no mariadbd; install mariadb-server to run it)";
      if (System.getenv("CI_REQUIRES_MARIADB") != null) {
        throw new IllegalStateException(line);
      }
      System.out.println(line);
      Assumptions.abort(line);
    }
    folder = Files.createTempDirectory("lakestream-mariadb");
    install();
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    start();
    run(
        "mysql",
        "create user " + USER + "@'%' identified by '" + PASSWORD + "'",
        "grant replication slave, binlog monitor on *.* to " + USER + "@'%'");
  }

  private static Optional<Path> find(String program) {
    return Stream.concat(
            Stream.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/libexec"),
            Stream.of(System.getenv().getOrDefault("PATH", "").split(":")))
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private void install() throws IOException {
    Path installer = find("mariadb-install-db").or(() -> find("mysql_install_db")).orElseThrow();
    Process install =
        new ProcessBuilder(
                installer.toString(),
                "--no-defaults",
                "--user=" + System.getProperty("user.name"),
                "--datadir=" + folder.resolve("data"),
                "--auth-root-authentication-method=normal",
                "--skip-test-db")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("install.log").toFile())
            .start();
    try {
      if (!install.waitFor(2, TimeUnit.MINUTES) || install.exitValue() != 0) {
        throw new IllegalStateException(Files.readString(folder.resolve("install.log")));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Starts the server; it keeps its port and its data. */
  public void start(String... more) {
    List<String> command =
        new ArrayList<>(
            List.of(
                find("mariadbd").orElseThrow().toString(),
                "--no-defaults",
                "--user=" + System.getProperty("user.name"),
                "--datadir=" + folder.resolve("data"),
                "--socket=" + folder.resolve("s"),
                "--pid-file=" + folder.resolve("pid"),
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--server-id=1",
                "--log-bin=binlog",
                "--binlog-format=ROW",
                "--binlog-row-image=FULL",
                "--binlog-row-metadata=FULL",
                "--innodb-buffer-pool-size=32M",
                "--innodb-log-file-size=16M",
                "--innodb-flush-log-at-trx-commit=0",
                "--performance-schema=OFF"));
    command.addAll(options);
    command.addAll(List.of(more));
    try {
      server =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(
                  ProcessBuilder.Redirect.appendTo(folder.resolve("server.log").toFile()))
              .start();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptions()
        .until(
            () -> {
              connect("mysql").close();
              return true;
            });
  }

  /** Stops the server, as its operator would. */
  public void stop() {
    server.destroy();
    try {
      if (!server.waitFor(30, TimeUnit.SECONDS)) {
        server.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (server == null) {
      return;
    }
    server.destroyForcibly();
    stop();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  public Connection connect(String database) {
    try {
      return DriverManager.getConnection(
          "jdbc:mariadb://127.0.0.1:" + port + "/" + database + "?useServerPrepStmts=true",
          "root",
          "");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs statements, each by itself, on one connection. */
  public void run(String database, String... statements) {
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Makes a database with the given content, and lets the capturing user read it. */
  public void createDatabase(String database, String... statements) {
    run(
        "mysql",
        "create database " + database + " character set utf8mb4",
        "grant select on " + database + ".* to " + USER + "@'%'");
    run(database, statements);
  }

  public int port() {
    return port;
  }

  public SourceConfig config(String name, String database) {
    return new SourceConfig(
        name,
        SourceType.MARIADB,
        "127.0.0.1",
        port,
        database,
        USER,
        Secret.of(PASSWORD),
        List.of(database + ".*"),
        List.of(),
        2,
        Duration.ofMillis(200));
  }

  static String quote(String identifier) {
    return '`' + identifier.replace("`", "``") + '`';
  }

  /** Rows of a table as MariaDB prints them, in our text form, ordered; NULL as null. */
  List<String> rows(String database, String table) {
    TreeMap<String, Integer> rows = new TreeMap<>();
    try (Connection connection = connect(database);
        Statement statement = connection.createStatement()) {
      statement.execute("set time_zone='+00:00', sql_mode='ALLOW_INVALID_DATES'");
      List<String> types = new ArrayList<>();
      String sql = select(statement, database, table, types);
      try (var prepared = connection.prepareStatement(sql);
          ResultSet result = prepared.executeQuery()) {
        while (result.next()) {
          List<String> row = new ArrayList<>();
          for (int i = 0; i < types.size(); i++) {
            row.add(value(result, i + 1, types.get(i)));
          }
          rows.merge(String.valueOf(row), 1, Integer::sum);
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return rows.entrySet().stream().map(e -> e.getKey() + " x" + e.getValue()).toList();
  }

  private static String select(
      Statement statement, String database, String table, List<String> types) throws SQLException {
    List<String> selected = new ArrayList<>();
    try (ResultSet columns =
        statement.executeQuery(
            "select column_name, data_type, numeric_precision, column_type from information_schema.columns"
                + " where table_schema = '"
                + database
                + "' and table_name = '"
                + table
                + "' order by ordinal_position")) {
      while (columns.next()) {
        String column = quote(columns.getString(1));
        String type = columns.getString(2);
        types.add(type);
        selected.add(
            switch (type) {
              case "float", "double" -> column;
              case "bit" -> "lpad(bin(%s), %s, '0')".formatted(column, columns.getString(3));
              case "year" -> "cast(" + column + "+0 as char)";
              case "binary",
                  "varbinary",
                  "tinyblob",
                  "blob",
                  "mediumblob",
                  "longblob",
                  "geometry",
                  "point",
                  "linestring",
                  "polygon" ->
                  "concat('\\\\x', lower(hex(" + column + ")))";
              // The zeros in front are no part of the value.
              default ->
                  "cast(%s%s as char character set utf8mb4)"
                      .formatted(column, columns.getString(4).contains("zerofill") ? "+0" : "");
            });
      }
    }
    return "select " + String.join(", ", selected) + " from " + quote(table);
  }

  private static String value(ResultSet result, int index, String type) throws SQLException {
    String value =
        switch (type) {
          case "float" -> TextForm.print(ColumnType.FLOAT, result.getFloat(index));
          case "double" -> TextForm.print(ColumnType.DOUBLE, result.getDouble(index));
          case "datetime" -> withoutZeros(result.getString(index));
          case "timestamp" -> withoutZeros(result.getString(index)) + "+00";
          default -> result.getString(index);
        };
    return result.wasNull() ? null : value;
  }

  private static String withoutZeros(String text) {
    return text == null || text.indexOf('.') < 0
        ? text
        : text.replaceAll("0+$", "").replaceAll("\\.$", "");
  }

  /** Name of the binlog file that is written now. */
  String binlogFile() {
    try (Connection connection = connect("mysql");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("show master status")) {
      result.next();
      return result.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Removes all binlog files but the newest; the server keeps those that somebody still reads. */
  void purgeBinlogs() {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> {
              run("mysql", "purge binary logs to '" + binlogFile() + "'");
              return binlogFiles() == 1;
            });
  }

  private int binlogFiles() throws SQLException {
    int files = 0;
    try (Connection connection = connect("mysql");
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("show binary logs")) {
      while (result.next()) {
        files++;
      }
    }
    return files;
  }

  /** Ends all connections of a user, as an administrator would. */
  void killConnectionsOf(String user) {
    run("mysql", "kill user " + user);
  }
}
