package io.lakestream.benchmarks.chain;

import io.lakestream.benchmarks.BenchRun;
import io.lakestream.benchmarks.Figure;
import io.lakestream.benchmarks.Percentile;
import io.lakestream.benchmarks.Suite;
import io.lakestream.distribution.config.SourceSettings;
import io.lakestream.distribution.laptop.EmbeddedPostgres17;
import io.lakestream.distribution.laptop.Instance;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableName;
import io.lakestream.union.UnionReader;
import io.lakestream.union.plan.ReadPoint;
import io.lakestream.union.read.ReadOptions;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterator;

/**
 * The whole chain on the demo: time to the first verified row, memory, and the lag of the view and
 * of the lake behind the source at 200 transactions a second. The baseline of a lag is the same
 * probe against the source itself.
 */
public final class ChainSuite implements Suite {
  static final int RATE = 200;

  private static final String SCALE = "0.01";
  private static final double GIB = 1L << 30;
  private static final Duration POLL = Duration.ofMillis(100);
  private static final Duration FIRST_ROWS_LIMIT = Duration.ofMinutes(3);
  private static final String KEY = "r_regionkey";
  private static final String VALUE = "r_name";
  private static final long FIRST_PROBED_KEY = 1_000;

  @Override
  public String name() {
    return "chain";
  }

  @Override
  public String description() {
    return "time to the first row, memory, and lag of view and lake at "
        + RATE
        + " transactions/s, on the demo";
  }

  @Override
  public List<Figure> run(BenchRun run) throws Exception {
    List<Figure> figures = new ArrayList<>();
    List<String> options =
        List.of("--scale", SCALE, "--rate", Integer.toString(RATE), "--seed", "1");
    try (DemoProcess demo = DemoProcess.start(run, options)) {
      run.say("demo at scale %s, %s transactions/s", SCALE, RATE);
      try (Instance instance = demo.awaitInstance();
          Connection source = openSource(instance);
          UnionReader view = UnionReader.open(instance.tables(), instance.lake())) {
        TableName region = region(instance);
        awaitFirstRows(view, region, source);
        figures.add(new Figure("first_row_s", demo.seconds(), "s", "<=40"));
        run.say("first verified rows after %.1f s", demo.seconds());
        awaitLake(instance, region);
        figures.addAll(measureLags(run, instance, view, region, source));
        double resident = ProcessMemory.residentBytes(demo.processes()) / GIB;
        figures.add(new Figure("resident_gb", resident, "GiB", "<=3"));
      }
    }
    if (run.withBuild()) {
      run.say("mvn verify on a fresh clone");
      figures.add(new Figure("mvn_verify_min", BuildTime.minutes(run), "min", "<=15"));
    }
    return figures;
  }

  private static TableName region(Instance instance) {
    String source = instance.endpoints().sources().keySet().iterator().next();
    return new TableName(source, "public", "region");
  }

  private static Connection openSource(Instance instance) throws SQLException {
    SourceSettings captured = instance.endpoints().sources().values().iterator().next();
    String url =
        "jdbc:postgresql://" + captured.host() + ":" + captured.port() + "/" + captured.database();
    return DriverManager.getConnection(url, EmbeddedPostgres17.USER, "");
  }

  // The view may lack the table, the first cut or rows for a while. Keys and names are compared:
  // the workload changes comments, possibly between the two reads.
  private static void awaitFirstRows(UnionReader view, TableName region, Connection source)
      throws SQLException, IOException, InterruptedException {
    long deadline = System.nanoTime() + FIRST_ROWS_LIMIT.toNanos();
    while (true) {
      Map<Long, String> rows = readView(view, region);
      if (!rows.isEmpty() && rows.equals(readSourceRows(source))) {
        return;
      }
      if (System.nanoTime() > deadline) {
        throw new LakestreamException(
            ErrorCode.TIMEOUT,
            "The view did not show the rows of %s within %s s: it has %s of them",
            region,
            FIRST_ROWS_LIMIT.toSeconds(),
            rows.size());
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  private static Map<Long, String> readSourceRows(Connection source) throws SQLException {
    Map<Long, String> rows = new TreeMap<>();
    try (Statement statement = source.createStatement();
        ResultSet result =
            statement.executeQuery("select " + KEY + ", " + VALUE + " from public.region")) {
      while (result.next()) {
        rows.put(result.getLong(1), result.getString(2));
      }
    }
    return rows;
  }

  private static Map<Long, String> readView(UnionReader view, TableName region) throws IOException {
    Map<Long, String> rows = new TreeMap<>();
    try (CloseableIterator<Record> records =
        view.read(view.plan(region, ReadPoint.latestCut()), ReadOptions.all())) {
      records.forEachRemaining(
          r -> rows.put(((Number) r.getField(KEY)).longValue(), (String) r.getField(VALUE)));
    } catch (LakestreamException e) {
      if (e.code() != ErrorCode.UNKNOWN_TABLE && e.code() != ErrorCode.POSITION_NOT_COVERED) {
        throw e;
      }
    }
    return rows;
  }

  private static void awaitLake(Instance instance, TableName region) throws InterruptedException {
    while (instance.lake().find(region).map(Table::currentSnapshot).isEmpty()) {
      Thread.sleep(POLL.toMillis());
    }
  }

  private static List<Figure> measureLags(
      BenchRun run, Instance instance, UnionReader view, TableName region, Connection source)
      throws Exception {
    LagProbe.Place inView =
        key -> {
          ReadOptions options = ReadOptions.all().withFilter(Expressions.equal(KEY, key));
          try (CloseableIterator<Record> rows =
              view.read(view.plan(region, ReadPoint.latestCut()), options)) {
            return rows.hasNext();
          }
        };
    LagProbe.Place inLake = new LakePlace(instance.lake(), region, KEY);
    String insert = "insert into public.region values (?, 'probe', 'probe')";
    LagProbe probe = new LagProbe(source, insert, FIRST_PROBED_KEY);
    try (Connection second = openSource(instance)) {
      Map<String, LagProbe.Place> places = new LinkedHashMap<>();
      places.put("source", key -> isInSource(second, key));
      places.put("view", inView);
      places.put("lake", inLake);
      run.say("warming up");
      probe.measure(Math.max(5, run.probes() / 6), places);
      run.say("%s probes of source, view and lake", run.probes());
      List<List<Double>> lagsMs = probe.measure(run.probes(), places);
      return List.of(
          new Figure("source_lag_p95_ms", Percentile.of(lagsMs.get(0), 95), "ms", Figure.NO_GOAL),
          new Figure("view_lag_p50_ms", Percentile.of(lagsMs.get(1), 50), "ms", Figure.NO_GOAL),
          new Figure("view_lag_p95_ms", Percentile.of(lagsMs.get(1), 95), "ms", "<=1000"),
          new Figure("lake_lag_p50_ms", Percentile.of(lagsMs.get(2), 50), "ms", Figure.NO_GOAL),
          new Figure("lake_lag_p95_ms", Percentile.of(lagsMs.get(2), 95), "ms", "<=3000"));
    }
  }

  private static boolean isInSource(Connection connection, long key) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("select 1 from public.region where " + KEY + " = ?")) {
      statement.setLong(1, key);
      try (ResultSet result = statement.executeQuery()) {
        return result.next();
      }
    }
  }
}
