package io.lakestream.cdc.write;

import static io.lakestream.tables.error.Checks.checkArgument;

import java.util.Map;

/**
 * How many rows of a table may be in quarantine before the table is paused.
 *
 * @param rows of any table, 0 to {@value #MAX}
 * @param byTable the same by {@code <schema>.<table>}, where it differs
 */
public record QuarantineLimits(int rows, Map<String, Integer> byTable) {
  /** The greatest limit: capture keeps the keys of these rows in memory. */
  public static final int MAX = 20_000;

  /** What holds where nothing is configured. */
  public static final QuarantineLimits DEFAULT = new QuarantineLimits(1_000, Map.of());

  public QuarantineLimits {
    byTable = Map.copyOf(byTable);
    check(rows);
    byTable.values().forEach(QuarantineLimits::check);
  }

  private static void check(int limit) {
    checkArgument(
        limit >= 0 && limit <= MAX, "Invalid quarantine-limit: %s (must be 0 to %s)", limit, MAX);
  }

  /** The limit of a table. */
  int of(String display) {
    return byTable.getOrDefault(display, rows);
  }
}
