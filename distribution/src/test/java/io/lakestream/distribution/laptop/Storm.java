package io.lakestream.distribution.laptop;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * Random transactions over tables with all kinds of keys, from one seed: the same seed gives the
 * same statements. Money only ever moves between {@code accounts} and {@code savings}, so the sum
 * over both is {@link #TOTAL} after every transaction.
 */
final class Storm {
  static final BigDecimal TOTAL = new BigDecimal("100000.00");

  static final List<String> TABLES =
      List.of("accounts", "savings", "lines", "docs", "tags", "events");

  private static final int ACCOUNTS = 50;
  private static final int KEYS = 60;
  private static final int LONG_TEXT = 9000;
  private static final Instant EPOCH = Instant.parse("1969-12-31T23:59:50Z");

  private final Connection connection;
  private final Random random;

  private Storm(Connection connection, long seed) {
    this.connection = connection;
    this.random = new Random(seed);
  }

  /** Creates the tables and fills the accounts. */
  static Storm create(Connection connection, long seed) throws SQLException {
    try (Statement sql = connection.createStatement()) {
      sql.execute("create table accounts (id bigint primary key, balance numeric(12,2) not null)");
      sql.execute("create table savings (id bigint primary key, balance numeric(12,2) not null)");
      sql.execute(
          "create table lines (line varchar(20), order_no int, qty smallint, price numeric(15,2),"
              + " shipped date, primary key (order_no, line))");
      sql.execute("create table docs (id uuid primary key, rev int, body text, raw bytea)");
      sql.execute("create table tags (name text primary key, hits bigint, ratio double precision)");
      sql.execute(
          "create table events (at timestamptz primary key, local timestamp, kind text, ok boolean)");
      BigDecimal each = TOTAL.divide(BigDecimal.valueOf(2L * ACCOUNTS));
      for (String table : List.of("accounts", "savings")) {
        sql.execute(
            "insert into "
                + table
                + " select i, "
                + each
                + " from generate_series(1, "
                + ACCOUNTS
                + ") i");
      }
    }
    connection.setAutoCommit(false);
    return new Storm(connection, seed);
  }

  /** Runs one transaction; one in twelve is rolled back. */
  void transaction() throws SQLException {
    int statements = 1 + random.nextInt(5);
    for (int i = 0; i < statements; i++) {
      change();
    }
    if (random.nextInt(12) == 0) {
      connection.rollback();
    } else {
      connection.commit();
    }
  }

  private void change() throws SQLException {
    switch (random.nextInt(8)) {
      case 0, 1 -> transfer();
      case 2 -> moveAccount();
      case 3 -> changeLine();
      case 4 -> changeDoc();
      case 5 -> changeTag();
      case 6 -> changeEvent();
      default -> replaceInPlace();
    }
  }

  private void transfer() throws SQLException {
    BigDecimal amount = BigDecimal.valueOf(random.nextInt(10_000), 2);
    boolean toSavings = random.nextBoolean();
    String from = toSavings ? "accounts" : "savings";
    String to = toSavings ? "savings" : "accounts";
    // Whichever row is nearest: ids move, see moveAccount.
    int taken =
        run(
            "update "
                + from
                + " set balance = balance - ? where id = (select min(id) from "
                + from
                + " where id >= ?)",
            amount,
            random.nextLong(ACCOUNTS));
    if (taken == 1) {
      run(
          "update " + to + " set balance = balance + ? where id = (select min(id) from " + to + ")",
          amount);
    }
  }

  private void moveAccount() throws SQLException {
    long from = random.nextLong(3L * ACCOUNTS);
    long to = random.nextLong(3L * ACCOUNTS);
    run(
        "update accounts set id = ? where id = ? and not exists (select from accounts where id = ?)",
        to,
        from,
        to);
  }

  private void changeLine() throws SQLException {
    String line = "line-" + random.nextInt(8);
    int order = random.nextInt(KEYS / 4);
    BigDecimal price = random.nextInt(5) == 0 ? null : BigDecimal.valueOf(random.nextLong(), 2);
    switch (random.nextInt(4)) {
      case 0 -> run("delete from lines where order_no = ?", order);
      case 1 ->
          run(
              "update lines set order_no = ? where order_no = ? and line = ? and not exists"
                  + " (select from lines where order_no = ? and line = ?)",
              order + 1,
              order,
              line,
              order + 1,
              line);
      default ->
          run(
              "insert into lines values (?, ?, ?, ?, date '1996-02-28' + ?::int)"
                  + " on conflict (order_no, line) do update set qty = excluded.qty, price = excluded.price",
              line,
              order,
              (short) random.nextInt(),
              price == null ? null : price.remainder(BigDecimal.valueOf(10_000_000_000_000L)),
              random.nextInt(2000));
    }
  }

  private void changeDoc() throws SQLException {
    UUID id = new UUID(0x1234, random.nextInt(KEYS));
    switch (random.nextInt(6)) {
      case 0 -> run("delete from docs where id = ?", id);
      // The long values stay untouched, so the log does not have them.
      case 1, 2 -> run("update docs set rev = rev + 1 where id = ?", id);
      case 3 -> {
        UUID to = new UUID(0x1234, random.nextInt(KEYS));
        run(
            "update docs set id = ?, rev = 0 where id = ? and not exists (select from docs where id = ?)",
            to,
            id,
            to);
      }
      default ->
          run(
              "insert into docs values (?, 1, ?, ?) on conflict (id) do update set body = excluded.body",
              id,
              longText(),
              bytes(random.nextInt(4) == 0 ? LONG_TEXT : 12));
    }
  }

  private void changeTag() throws SQLException {
    String name = List.of("", "a", "A", "ä", "tag ", "日本", "x'y\"z", "NULL").get(random.nextInt(8));
    switch (random.nextInt(4)) {
      case 0 -> run("delete from tags where name = ?", name);
      case 1 -> run("update tags set hits = null, ratio = 'NaN' where name = ?", name);
      default ->
          run(
              "insert into tags values (?, ?, ?) on conflict (name) do update set hits = excluded.hits,"
                  + " ratio = excluded.ratio",
              name,
              random.nextLong(),
              random.nextGaussian() * Math.pow(10, random.nextInt(40) - 20));
    }
  }

  private void changeEvent() throws SQLException {
    Instant at = EPOCH.plusNanos(random.nextLong(20_000_000L / KEYS) * KEYS * 1000L);
    if (random.nextInt(3) == 0) {
      run(
          "delete from events where at = (select min(at) from events where at >= ?)",
          Timestamp.from(at));
    } else {
      run(
          "insert into events values (?, ?::timestamp, ?, ?) on conflict (at) do nothing",
          Timestamp.from(at),
          "1582-10-10 12:00:00." + String.format("%06d", random.nextInt(1_000_000)),
          random.nextBoolean() ? "" : null,
          random.nextBoolean());
    }
  }

  // Delete and insert again, twice, in one transaction: the last state wins.
  private void replaceInPlace() throws SQLException {
    String name = "again-" + random.nextInt(5);
    for (int i = 0; i < 2; i++) {
      run("delete from tags where name = ?", name);
      run("insert into tags values (?, ?, null)", name, (long) i);
    }
  }

  private String longText() {
    StringBuilder text = new StringBuilder(LONG_TEXT);
    while (text.length() < LONG_TEXT) {
      text.append((char) ('!' + random.nextInt(90)));
    }
    return text.toString();
  }

  private byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private int run(String sql, Object... arguments) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, arguments[i]);
      }
      return statement.executeUpdate();
    }
  }
}
