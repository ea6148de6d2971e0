package io.lakestream.benchmarks;

import static io.lakestream.tables.error.Checks.checkArgument;

import java.util.Collection;
import java.util.List;

/** Percentiles by nearest rank: always a value that was really measured. */
public final class Percentile {
  private Percentile() {}

  /**
   * Picks the smallest value that is at least as large as {@code percent} of all.
   *
   * @param percent greater than 0, at most 100
   */
  public static double of(Collection<Double> values, double percent) {
    checkArgument(!values.isEmpty(), "Cannot take a percentile of nothing");
    checkArgument(percent > 0 && percent <= 100, "Invalid percentile: %s", percent);
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get((int) Math.ceil(percent / 100 * sorted.size()) - 1);
  }
}
