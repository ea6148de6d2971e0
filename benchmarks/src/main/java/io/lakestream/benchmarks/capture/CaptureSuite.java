package io.lakestream.benchmarks.capture;

import io.lakestream.benchmarks.BenchRun;
import io.lakestream.benchmarks.Figure;
import io.lakestream.benchmarks.Percentile;
import io.lakestream.benchmarks.Suite;
import io.lakestream.benchmarks.capture.SubjectProcess.Measure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Capture against the same Debezium engine into nothing: first copy, stream, lag of a flush,
 * allocation by the width of a row, and the heap under a long load.
 */
public final class CaptureSuite implements Suite {
  private static final String OURS = "lakestream";
  private static final String BASELINE = "debezium";
  private static final int NARROW = 8;
  private static final List<Integer> WIDTHS = List.of(8, 40, 200);
  private static final int REPETITIONS = 3;
  private static final long COPIED_ROWS = 1_000_000;
  private static final long STREAMED_ROWS = 500_000;
  private static final long HEAP_ROWS = 10_000_000;
  private static final int HEAP_STEPS = 20;
  private static final int FEWEST_ROWS = 20_000;
  private static final int LAG_PROBES = 200;
  private static final int TRANSACTIONS_PER_SECOND = 100;
  private static final double MIB = 1L << 20;

  private final List<Figure> figures = new ArrayList<>();
  private int processes;

  @Override
  public String name() {
    return "capture";
  }

  @Override
  public String description() {
    return "copy, stream, flush lag, allocation and heap of capture, beside Debezium into nothing";
  }

  @Override
  public List<Figure> run(BenchRun run) throws Exception {
    Path folder = Files.createDirectories(run.work().resolve("fluss"));
    try (ChildProcess fluss =
        ChildProcess.start(
            FlussMain.class,
            "1g",
            run.work().resolve("fluss.log"),
            Map.of(),
            List.of(folder.toString()))) {
      String bootstrap = fluss.answer().get(0);
      if (run.measures("postgres")) {
        try (BenchDatabase postgres = PostgresServer.start(run.work().resolve("postgres"))) {
          ratios(run, bootstrap, postgres);
          flushLag(run, bootstrap, postgres);
          allocation(run, bootstrap, postgres);
          heap(run, bootstrap, postgres);
        }
      }
      if (run.measures("mariadb")) {
        mariaDb(run, bootstrap);
      }
    }
    return figures;
  }

  private void mariaDb(BenchRun run, String fluss) throws Exception {
    if (MariaDbServer.find().isEmpty()) {
      run.say("not measured: MariaDB is not installed (no mariadbd)");
      return;
    }
    try (BenchDatabase mariaDb = MariaDbServer.start(run.work().resolve("mariadb"))) {
      ratios(run, fluss, mariaDb);
    }
  }

  private static long scaled(BenchRun run, long rows) {
    long scaled = Math.round(rows * run.scale());
    return Math.max(FEWEST_ROWS, scaled - scaled % FEWEST_ROWS);
  }

  /** Copies a table, stops, and drains a backlog, each subject in turn. */
  private void ratios(BenchRun run, String fluss, BenchDatabase database) throws Exception {
    long rows = scaled(run, COPIED_ROWS);
    long changes = scaled(run, STREAMED_ROWS);
    Map<String, List<Double>> copied = new TreeMap<>();
    Map<String, List<Double>> streamed = new TreeMap<>();
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
      List<String> order = repetition % 2 == 0 ? List.of(BASELINE, OURS) : List.of(OURS, BASELINE);
      for (String kind : order) {
        BenchTable table = new BenchTable(database, "narrow", NARROW);
        table.create(rows);
        try (SubjectProcess subject = start(run, kind, fluss, database)) {
          Measure copy = subject.copy(table, rows);
          subject.stop();
          long rowsThen = table.change(rows, changes);
          Measure stream = subject.drain(changes, rowsThen);
          run.say(
              "%s %s: copied %,.0f rows/s, streamed %,.0f changes/s",
              database.label(), kind, copy.rowsPerSecond(), stream.rowsPerSecond());
          copied.computeIfAbsent(kind, k -> new ArrayList<>()).add(copy.rowsPerSecond());
          streamed.computeIfAbsent(kind, k -> new ArrayList<>()).add(stream.rowsPerSecond());
        }
        table.drop();
      }
    }
    compare("snapshot", database, copied, ">=1");
    compare("stream", database, streamed, ">=0.8");
  }

  private void compare(
      String what, BenchDatabase database, Map<String, List<Double>> measured, String goal) {
    double ours = Percentile.of(measured.get(OURS), 50);
    double baseline = Percentile.of(measured.get(BASELINE), 50);
    String end = database.label();
    figures.add(new Figure(what + "_rows_s_debezium_" + end, baseline, "rows/s", Figure.NO_GOAL));
    figures.add(new Figure(what + "_rows_s_" + end, ours, "rows/s", Figure.NO_GOAL));
    figures.add(new Figure(what + "_ratio_" + end, ours / baseline, "ratio", goal));
  }

  private void flushLag(BenchRun run, String fluss, BenchDatabase database) throws Exception {
    BenchTable table = new BenchTable(database, "busy", NARROW);
    table.create(FEWEST_ROWS);
    ScheduledExecutorService load = Executors.newSingleThreadScheduledExecutor();
    try (SubjectProcess subject = start(run, OURS, fluss, database);
        Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      subject.copy(table, FEWEST_ROWS);
      run.say("flush lag: %s probes at 1,000 changes/s", LAG_PROBES);
      long[] next = {1};
      ScheduledFuture<?> running =
          load.scheduleAtFixedRate(
              () -> touch(table, statement, next),
              0,
              TimeUnit.SECONDS.toMicros(1) / TRANSACTIONS_PER_SECOND,
              TimeUnit.MICROSECONDS);
      subject.lags(LAG_PROBES);
      List<Double> lags = subject.lags(LAG_PROBES);
      if (running.isDone()) {
        running.get(); // throws what ended the load
      }
      figures.add(new Figure("flush_lag_p50_ms", lags.get(0), "ms", Figure.NO_GOAL));
      figures.add(new Figure("flush_lag_p95_ms", lags.get(1), "ms", "<=150"));
    } finally {
      load.shutdownNow();
      load.awaitTermination(10, TimeUnit.SECONDS);
    }
    table.drop();
  }

  private static void touch(BenchTable table, Statement statement, long[] next) {
    try {
      table.touch(statement, next[0]);
      next[0] = 1 + (next[0] + 10) % (FEWEST_ROWS - 20);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void allocation(BenchRun run, String fluss, BenchDatabase database) throws Exception {
    for (int width : WIDTHS) {
      for (String kind : List.of(BASELINE, OURS)) {
        long changes = scaled(run, STREAMED_ROWS / width);
        BenchTable table = new BenchTable(database, "wide", width);
        table.create(FEWEST_ROWS);
        try (SubjectProcess subject = start(run, kind, fluss, database)) {
          subject.copy(table, FEWEST_ROWS);
          subject.stop();
          long rows = table.change(FEWEST_ROWS, changes);
          Measure stream = subject.drain(changes, rows);
          run.say("%s columns, %s: %,.0f bytes/change", width, kind, stream.bytesPerRow());
          String name = (kind.equals(OURS) ? "" : kind + "_") + "allocated_per_change_" + width;
          figures.add(new Figure(name, stream.bytesPerRow(), "bytes", Figure.NO_GOAL));
        }
        table.drop();
      }
    }
  }

  /** Live heap after each of many steps; a leak of a byte a row would show as growth. */
  private void heap(BenchRun run, String fluss, BenchDatabase database) throws Exception {
    long changes = scaled(run, HEAP_ROWS) / HEAP_STEPS;
    changes -= changes % 2_000;
    BenchTable table = new BenchTable(database, "long_load", NARROW);
    table.create(FEWEST_ROWS);
    List<Double> live = new ArrayList<>();
    try (SubjectProcess subject = start(run, OURS, fluss, database)) {
      subject.copy(table, FEWEST_ROWS);
      long rows = FEWEST_ROWS;
      for (int step = 1; step <= HEAP_STEPS; step++) {
        subject.stop();
        rows = table.change(rows, changes);
        subject.drain(changes, rows);
        live.add(subject.liveBytes() / MIB);
        run.say("heap after %,d changes: %.1f MiB", step * changes, live.get(live.size() - 1));
      }
    }
    table.drop();
    double before = Percentile.of(live.subList(0, HEAP_STEPS / 2), 50);
    double after = Percentile.of(live.subList(HEAP_STEPS / 2, HEAP_STEPS), 50);
    figures.add(new Figure("heap_live_mb", after, "MiB", Figure.NO_GOAL));
    figures.add(new Figure("heap_growth", after / before, "ratio", "<=1.1"));
  }

  private SubjectProcess start(BenchRun run, String kind, String fluss, BenchDatabase database)
      throws Exception {
    processes++;
    return SubjectProcess.start(run, kind, fluss, database, "r" + processes);
  }
}
