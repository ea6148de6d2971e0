package io.lakestream.distribution.demo;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;

/**
 * The workload's dice. Keys are drawn from the rows that the database holds now, never from memory,
 * so that the workload goes on after any restart, also beside other writers.
 */
final class Draw {
  private static final LocalDate FIRST_DATE = LocalDate.of(1998, 8, 3);
  private static final int DATES = 700;
  private static final List<String> WORDS =
      List.of(
          "carefully",
          "quickly",
          "final",
          "express",
          "ironic",
          "regular",
          "pending",
          "deposits",
          "requests",
          "packages",
          "accounts",
          "foxes",
          "sleep",
          "haggle",
          "nag",
          "überall",
          "日本");

  private final Random random;
  private final Sql sql;

  Draw(long seed, Sql sql) {
    this.random = new Random(seed);
    this.sql = sql;
  }

  /** A number from {@code low} to {@code high}, both inclusive. */
  int number(int low, int high) {
    return low + random.nextInt(high - low + 1);
  }

  /** An amount from 0.01 to {@code high}. */
  BigDecimal amount(int high) {
    return BigDecimal.valueOf(1 + random.nextInt(high * 100), 2);
  }

  <T> T oneOf(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  LocalDate date() {
    return FIRST_DATE.plusDays(random.nextInt(DATES));
  }

  /** Words, at most {@code length} characters. */
  String text(int length) {
    StringBuilder text = new StringBuilder(oneOf(WORDS));
    String next = oneOf(WORDS);
    while (text.length() + 1 + next.length() <= length && random.nextInt(8) != 0) {
      text.append(' ').append(next);
      next = oneOf(WORDS);
    }
    return text.toString();
  }

  Operation operation(Map<Operation, Integer> mix) {
    int total = mix.values().stream().mapToInt(Integer::intValue).sum();
    int point = random.nextInt(total);
    for (Map.Entry<Operation, Integer> entry : mix.entrySet()) {
      point -= entry.getValue();
      if (point < 0) {
        return entry.getKey();
      }
    }
    throw new IllegalStateException("weights do not add up to " + total);
  }

  /**
   * An existing key of a table, its row locked; empty where the table is.
   *
   * @param table and
   * @param column come from this package's own constants
   */
  OptionalLong existing(String table, String column) throws SQLException {
    // Spread over the span of keys, then the next one that exists: two index look-ups.
    String query =
        String.format(
            "SELECT %2$s FROM public.%1$s WHERE %2$s >= (SELECT min(%2$s) + floor(? * (max(%2$s) - min(%2$s) + 1))::bigint FROM public.%1$s) ORDER BY %2$s LIMIT 1 FOR UPDATE",
            table, column);
    return sql.firstRow(query, random.nextDouble())
        .map(row -> OptionalLong.of(((Number) row[0]).longValue()))
        .orElse(OptionalLong.empty());
  }

  OptionalLong order() throws SQLException {
    return existing("orders", "o_orderkey");
  }

  OptionalLong customer() throws SQLException {
    return existing("customer", "c_custkey");
  }

  OptionalLong part() throws SQLException {
    return existing("part", "p_partkey");
  }
}
