package io.lakestream.benchmarks.capture;

import io.lakestream.cdc.source.SourceType;
import io.lakestream.distribution.config.PortSettings;
import io.lakestream.distribution.laptop.EmbeddedPostgres17;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** PostgreSQL 17. */
final class PostgresServer implements BenchDatabase {
  private final EmbeddedPostgres17 server;

  private PostgresServer(EmbeddedPostgres17 server) {
    this.server = server;
  }

  static PostgresServer start(Path folder) throws SQLException {
    PostgresServer started =
        new PostgresServer(EmbeddedPostgres17.start(folder, PortSettings.defaults()));
    try (Connection connection = started.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute("create database " + DATABASE);
    }
    return started;
  }

  @Override
  public String label() {
    return "postgres";
  }

  @Override
  public SourceType type() {
    return SourceType.POSTGRES;
  }

  @Override
  public int port() {
    return server.port();
  }

  @Override
  public String user() {
    return EmbeddedPostgres17.USER;
  }

  @Override
  public String password() {
    return "";
  }

  @Override
  public Connection connect() throws SQLException {
    return connect(DATABASE);
  }

  private Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(server.url(database));
  }

  @Override
  public String qualified(String table) {
    return "public." + table;
  }

  @Override
  public String numbers(long first, long last) {
    return "select n from generate_series(" + first + ", " + last + ") n";
  }

  @Override
  public void forget(String config) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      for (String name : List.of("lakestream_" + config, "debezium_" + config)) {
        statement.execute(
            "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = '"
                + name
                + "'");
        statement.execute("drop publication if exists " + name);
      }
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
