package io.lakestream.benchmarks;

import java.io.PrintWriter;
import java.nio.file.Path;

/**
 * What a suite gets to work with.
 *
 * @param home top folder of the checkout, where the {@code lakestream} script is
 * @param work an empty folder for data; removed afterwards
 * @param probes how often each latency is measured
 * @param scale factor of the number of rows, greater than 0
 * @param source kind of database to measure: postgres, mariadb; empty for all
 * @param withBuild true to measure {@code mvn verify} too
 * @param progress for lines that tell what is going on
 */
public record BenchRun(
    Path home,
    Path work,
    int probes,
    double scale,
    String source,
    boolean withBuild,
    PrintWriter progress) {
  /** Tells what is going on, as a line that starts with {@code #}. */
  public void say(String message, Object... arguments) {
    progress.printf("# " + message + "%n", arguments);
    progress.flush();
  }

  /** True where a kind of database is to be measured. */
  public boolean measures(String kind) {
    return source.isEmpty() || source.equals(kind);
  }
}
