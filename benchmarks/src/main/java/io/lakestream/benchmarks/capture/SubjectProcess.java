package io.lakestream.benchmarks.capture;

import io.lakestream.benchmarks.BenchRun;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** A subject in a process of its own, which is started for one table and ended afterwards. */
final class SubjectProcess implements AutoCloseable {
  static final String HEAP = "512m";

  private final ChildProcess child;
  private final BenchDatabase database;
  private final String config;

  private SubjectProcess(ChildProcess child, BenchDatabase database, String config) {
    this.child = child;
    this.database = database;
    this.config = config;
  }

  /**
   * Starts one.
   *
   * @param kind {@code lakestream} or {@code debezium}
   * @param config name of the source, another one for each process
   */
  static SubjectProcess start(
      BenchRun run, String kind, String fluss, BenchDatabase database, String config)
      throws IOException {
    Path folder = Files.createDirectories(run.work().resolve(kind + "-" + config));
    ChildProcess child =
        ChildProcess.start(
            SubjectMain.class,
            HEAP,
            folder.resolve("log"),
            Map.of(SubjectMain.PASSWORD_VARIABLE, database.password()),
            List.of(
                kind,
                fluss,
                folder.toString(),
                database.type().name(),
                "127.0.0.1",
                String.valueOf(database.port()),
                database.user()));
    return new SubjectProcess(child, database, config);
  }

  /** Copies a table. */
  Measure copy(BenchTable table, long rows) throws IOException {
    return measure(
        child.ask(
            String.join(
                " ",
                "copy",
                config,
                BenchDatabase.DATABASE,
                database.qualified(table.name()),
                String.valueOf(rows))),
        rows,
        rows);
  }

  void stop() throws IOException {
    child.ask("stop");
  }

  /**
   * Starts it again and reads what was committed since {@link #stop}.
   *
   * @param rows that the table has now
   */
  Measure drain(long changes, long rows) throws IOException {
    return measure(child.ask("drain " + changes), changes, rows);
  }

  private static Measure measure(List<String> numbers, long changes, long rows) {
    long there = Long.parseLong(numbers.get(1));
    if (there >= 0 && there != rows) {
      throw new LakestreamException(
          ErrorCode.INTERNAL, "Wrong answer: %s rows are in Fluss, %s in the source", there, rows);
    }
    double seconds = Double.parseDouble(numbers.get(0));
    return new Measure(changes / seconds, (double) Long.parseLong(numbers.get(2)) / changes);
  }

  void resume() throws IOException {
    child.ask("resume");
  }

  /** Median and 95th percentile of commit to cut, in milliseconds. */
  List<Double> lags(int probes) throws IOException {
    return child.ask("lag " + probes).stream().map(Double::parseDouble).toList();
  }

  /** Live bytes on its heap. */
  long liveBytes() throws IOException {
    return Long.parseLong(child.ask("heap").get(0));
  }

  @Override
  public void close() throws SQLException {
    child.close();
    database.forget(config);
  }

  /**
   * What one run gave.
   *
   * @param rowsPerSecond rows or changes a second
   * @param bytesPerRow allocated on the heap for each
   */
  record Measure(double rowsPerSecond, double bytesPerRow) {}
}
