package io.lakestream.distribution.demo;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the panel shows: one moment of the demo.
 *
 * @param running time since the workload began
 * @param transactions of the workload that were committed
 * @param transactionsPerSecond of them since the sample before
 * @param position of the newest cut, or empty before the first
 * @param trouble state of the source and the reason while it is not simply streaming; otherwise
 *     empty
 * @param freshnessMs time since the source committed what the newest cut ends at
 * @param tables in the order to show
 */
record DemoSample(
    Duration running,
    long transactions,
    double transactionsPerSecond,
    String position,
    String trouble,
    OptionalLong freshnessMs,
    List<TableSample> tables) {
  /**
   * One table.
   *
   * @param name {@code <schema>.<table>}
   * @param rows of the view
   * @param changesPerSecond captured since the sample before
   * @param tailRows log entries that the lake does not hold yet
   * @param lakeSnapshotId newest lake snapshot; empty before the first
   * @param lakeAgeMs its age
   * @param files data files of it
   */
  record TableSample(
      String name,
      long rows,
      double changesPerSecond,
      long tailRows,
      OptionalLong lakeSnapshotId,
      OptionalLong lakeAgeMs,
      long files) {}

  DemoSample {
    tables = List.copyOf(tables);
  }

  long rows() {
    return tables.stream().mapToLong(TableSample::rows).sum();
  }

  long tailRows() {
    return tables.stream().mapToLong(TableSample::tailRows).sum();
  }

  double changesPerSecond() {
    return tables.stream().mapToDouble(TableSample::changesPerSecond).sum();
  }
}
