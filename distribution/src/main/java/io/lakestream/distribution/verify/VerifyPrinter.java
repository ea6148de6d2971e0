package io.lakestream.distribution.verify;

import io.lakestream.distribution.cli.ExitCode;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/** Prints what a verification found. Scripts rely on the last line. */
public final class VerifyPrinter {
  private static final int MAX_SHOWN = 20;

  private VerifyPrinter() {}

  /**
   * Prints a line per table, the first {@value #MAX_SHOWN} differences, and last the sum.
   *
   * @param reports one per source, at least one
   * @param quarantined names the reason of rows that are missing because of it; they still count as
   *     differences
   * @return the exit code
   */
  public static int print(
      PrintWriter out, List<VerifyReport> reports, QuarantinedRows quarantined) {
    long rows = 0;
    long differences = 0;
    long undecided = 0;
    long tables = 0;
    for (VerifyReport report : reports) {
      for (VerifyReport.TableReport table : report.tables()) {
        out.printf(
            "table=%s rows=%d differences=%d%s%n",
            table.table().display(),
            table.rows(),
            table.differences().size(),
            undecided(table.undecided()));
        tables++;
      }
      rows += report.rows();
      differences += report.differenceCount();
      undecided += report.undecided();
    }
    reports.stream()
        .flatMap(report -> report.differences().stream())
        .limit(MAX_SHOWN)
        .forEach(difference -> out.println(line(difference, quarantined)));
    if (differences > MAX_SHOWN) {
      out.printf("... and %d more%n", differences - MAX_SHOWN);
    }
    String positions =
        reports.stream().map(report -> report.position().text()).collect(Collectors.joining(","));
    out.printf(
        "verified tables=%d rows=%d differences=%d%s position=%s%n",
        tables, rows, differences, undecided(undecided), positions);
    out.flush();
    return differences == 0 ? ExitCode.OK : ExitCode.DIFFERENCES;
  }

  private static String line(Difference difference, QuarantinedRows quarantined) {
    return difference.isMissingRow()
        ? quarantined
            .find(difference.table(), difference.key())
            .map(
                entry ->
                    "quarantined table="
                        + difference.table().display()
                        + " key=("
                        + String.join(", ", difference.key())
                        + ") column="
                        + entry.column()
                        + " reason="
                        + entry.reason())
            .orElseGet(difference::toString)
        : difference.toString();
  }

  private static String undecided(long undecided) {
    return undecided == 0 ? "" : " undecided=" + undecided;
  }
}
