package io.lakestream.benchmarks;

import static io.lakestream.tables.error.Checks.checkArgument;

import java.util.Locale;

/**
 * One measured number. Its text form is what scripts read, the same for every suite.
 *
 * @param name for example {@code view_lag_p95_ms}: lower case, digits and underscores
 * @param value in {@code unit}
 * @param unit for example {@code ms}
 * @param goal what the value should be, for example {@code <=1000}; {@code none} for a baseline
 */
public record Figure(String name, double value, String unit, String goal) {
  public static final String NO_GOAL = "none";

  public Figure {
    checkArgument(name.matches("[a-z0-9_]+"), "Invalid figure name: '%s'", name);
    checkArgument(
        goal.equals(NO_GOAL) || goal.matches("(<=|>=)[0-9.]+"),
        "Invalid goal of figure %s: '%s' (must be none, <=N or >=N)",
        name,
        goal);
  }

  /** True where there is no goal, or the value meets it. */
  public boolean meetsGoal() {
    if (goal.equals(NO_GOAL)) {
      return true;
    }
    double limit = Double.parseDouble(goal.substring(2));
    return goal.startsWith("<=") ? value <= limit : value >= limit;
  }

  @Override
  public String toString() {
    String number =
        value == Math.rint(value) && Math.abs(value) < 1e15
            ? String.format(Locale.ROOT, "%.0f", value)
            : String.format(Locale.ROOT, "%.2f", value);
    return "figure=" + name + " value=" + number + " unit=" + unit + " goal=" + goal;
  }
}
