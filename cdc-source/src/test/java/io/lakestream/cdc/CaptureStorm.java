package io.lakestream.cdc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random transactions and changes of shape over 8 tables with all kinds of keys, from one seed: the
 * same seed gives the same statements.
 */
final class CaptureStorm {
  private static final int TABLES = 8;
  private static final int TRANSACTIONS = 20;
  private static final int MAX_CHANGES = 6;

  private final Random random;
  private final List<StormTable> tables = new ArrayList<>();

  CaptureStorm(StormDialect dialect, long seed) {
    this.random = new Random(seed);
    for (int kind = 0; kind < TABLES; kind++) {
      tables.add(new StormTable(dialect, "t" + kind, kind));
    }
  }

  /** Statements that create the tables. */
  String[] create() {
    return tables.stream().flatMap(table -> table.create().stream()).toArray(String[]::new);
  }

  List<String> tables() {
    return tables.stream().map(StormTable::name).toList();
  }

  /** Runs some transactions, and changes the shape of a table or two. */
  void round(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (int i = 0; i < TRANSACTIONS; i++) {
        transaction(connection, statement);
        if (random.nextInt(TRANSACTIONS) == 0) {
          run(statement, any().truncate());
        }
        if (random.nextInt(TRANSACTIONS / 2) == 0) {
          run(statement, any().alter(random));
        }
      }
    }
  }

  private StormTable any() {
    return tables.get(random.nextInt(TABLES));
  }

  private void transaction(Connection connection, Statement statement) throws SQLException {
    connection.setAutoCommit(false);
    tables.forEach(StormTable::begin);
    int changes = 1 + random.nextInt(MAX_CHANGES);
    for (int i = 0; i < changes; i++) {
      run(statement, any().change(random));
    }
    if (random.nextInt(10) == 0) {
      connection.rollback();
      tables.forEach(StormTable::rolledBack);
    } else {
      connection.commit();
    }
    connection.setAutoCommit(true);
  }

  private static void run(Statement statement, List<String> sql) throws SQLException {
    for (String one : sql) {
      statement.execute(one);
    }
  }

  /** What befalls capture between two rounds. */
  Trouble trouble() {
    return Trouble.values()[random.nextInt(Trouble.values().length)];
  }

  /** What befalls capture. */
  enum Trouble {
    NONE,
    KILLED_WHILE_RUNNING,
    STOPPED_MEANWHILE,
    CONNECTIONS_CUT
  }
}
