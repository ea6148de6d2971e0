package io.lakestream.benchmarks.capture;

import static io.lakestream.tables.error.Checks.checkArgument;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.StringJoiner;

/**
 * A table with a bigint key {@code id} and columns of everyday types beside it.
 *
 * @param database where it is
 * @param name of the table
 * @param width number of columns, 2 or greater
 */
record BenchTable(BenchDatabase database, String name, int width) {
  private static final int ROWS_PER_TRANSACTION = 1_000;
  private static final int ROWS_PER_LOAD = 100_000;

  BenchTable {
    checkArgument(width >= 2, "Invalid width: %s (must be >= 2)", width);
  }

  /** Creates it with rows 1 to {@code rows}. */
  void create(long rows) throws SQLException {
    StringJoiner columns = new StringJoiner(", ", "create table " + name + " (", ")");
    columns.add("id bigint primary key");
    for (int i = 1; i < width; i++) {
      columns.add("c" + i + " " + Kind.of(i).type);
    }
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(columns.toString());
      for (long first = 1; first <= rows; first += ROWS_PER_LOAD) {
        statement.execute(insert(first, Math.min(rows, first + ROWS_PER_LOAD - 1)));
      }
    }
  }

  void drop() throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("drop table " + name);
    }
  }

  private String insert(long first, long last) {
    StringJoiner values = new StringJoiner(", ", "insert into " + name + " select n, ", "");
    for (int i = 1; i < width; i++) {
      values.add(Kind.of(i).value);
    }
    return values + " from (" + database.numbers(first, last) + ") numbers";
  }

  /**
   * Commits changes in transactions of {@value #ROWS_PER_TRANSACTION} rows each, in turn of new
   * rows and of updates of rows that were there.
   *
   * @param rows that were there, from 1 on
   * @param changes a multiple of twice the rows of a transaction
   * @return rows there afterwards
   */
  long change(long rows, long changes) throws SQLException {
    long last = rows;
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (long done = 0; done < changes; done += 2L * ROWS_PER_TRANSACTION) {
        statement.execute(insert(last + 1, last + ROWS_PER_TRANSACTION));
        last += ROWS_PER_TRANSACTION;
        long first = 1 + done / 2 % (rows - ROWS_PER_TRANSACTION);
        statement.execute(
            "update "
                + name
                + " set c1 = c1 + 1 where id between "
                + first
                + " and "
                + (first + ROWS_PER_TRANSACTION - 1));
      }
    }
    return last;
  }

  /** Updates 10 rows in one transaction. */
  void touch(Statement statement, long first) throws SQLException {
    statement.execute(
        "update " + name + " set c1 = c1 + 1 where id between " + first + " and " + (first + 9));
  }

  private enum Kind {
    BIGINT("bigint", "n * 7"),
    INT("int", "n % 1000"),
    DECIMAL("numeric(12,2)", "n / 100.0"),
    TEXT("varchar(40)", "concat('text of row ', n)"),
    TIMESTAMP("timestamp(6) null", "timestamp '2026-01-01 12:00:00.123456'"),
    DOUBLE("double precision", "n * 0.5"),
    CODE("char(3)", "'EUR'");

    private final String type;
    private final String value;

    Kind(String type, String value) {
      this.type = type;
      this.value = value;
    }

    private static Kind of(int column) {
      return values()[(column - 1) % values().length];
    }
  }
}
