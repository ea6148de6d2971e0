package io.lakestream.benchmarks.capture;

import io.lakestream.cdc.source.SourceConfig;

/**
 * What is measured: something that reads one table of a database. It is started, stopped and
 * started again; the second start goes on where the first one stopped.
 */
interface Subject {
  /**
   * Starts on a source that it has not seen yet, and returns once all rows of its table have
   * arrived.
   *
   * @param rows in the table
   */
  void copy(SourceConfig config, long rows) throws Exception;

  /** Stops cleanly. */
  void stop() throws Exception;

  /**
   * Starts again and reads what was committed meanwhile.
   *
   * @param changes committed since {@link #stop}
   * @return nanoseconds from the first change to the last one
   */
  long drain(long changes) throws Exception;

  /** Rows that have arrived and are there now; -1 where the subject keeps none. */
  long rows();

  /** Stops, if it runs, and gives everything back. */
  void end() throws Exception;
}
