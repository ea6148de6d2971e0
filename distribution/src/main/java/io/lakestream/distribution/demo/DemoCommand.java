package io.lakestream.distribution.demo;

import static io.lakestream.tables.error.Checks.checkArgument;

import io.lakestream.cdc.CaptureEngine;
import io.lakestream.cdc.CaptureStatus;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.distribution.cli.CommandLines;
import io.lakestream.distribution.cli.DataOption;
import io.lakestream.distribution.cli.ExitCode;
import io.lakestream.distribution.cli.SourceNews;
import io.lakestream.distribution.config.LakestreamConfig;
import io.lakestream.distribution.laptop.Instance;
import io.lakestream.distribution.laptop.LaptopInstance;
import io.lakestream.distribution.laptop.ProcessEnd;
import io.lakestream.distribution.laptop.Progress;
import io.lakestream.distribution.query.DurationConverter;
import io.lakestream.distribution.verify.QuarantinedRows;
import io.lakestream.distribution.verify.SourceReader;
import io.lakestream.distribution.verify.UnionView;
import io.lakestream.distribution.verify.Verifier;
import io.lakestream.distribution.verify.VerifyPrinter;
import io.lakestream.distribution.verify.VerifyReport;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.StateBoard.SourceState;
import io.lakestream.tables.system.StateBoard.TableState;
import io.lakestream.union.UnionReader;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    description = {
      "Runs everything here: a PostgreSQL with TPC-H data and a live workload, capture, Fluss, the tiering job and the lake, in one process below one folder. Ctrl-C stops it; the same command goes on where it stopped."
    },
    footer = {
      "",
      "Examples:",
      "  lakestream demo",
      "  lakestream demo --rate 200 --scale 0.1 --data /tmp/lake",
      "  lakestream demo --for 60s --verify       ends by itself and compares every row"
    })
public final class DemoCommand implements Callable<Integer> {
  private static final double DEFAULT_SCALE = 0.01;
  private static final Duration TICK = Duration.ofSeconds(1);
  private static final Duration COPY_POLL = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @Spec private CommandSpec spec;
  @Mixin private DataOption data;

  @Option(
      names = "--scale",
      paramLabel = "FACTOR",
      description = "TPC-H scale factor of the first load (default: 0.01, which is 86,000 rows).")
  private Double scale;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "50",
      description = "Transactions a second (default: ${DEFAULT-VALUE}).")
  private int rate;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Ends after this time, for example 60s or 5m (default: runs until Ctrl-C).")
  private Duration time;

  @Option(
      names = "--verify",
      description = "In the end compares every table with PostgreSQL, value by value. Needs --for.")
  private boolean verify;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the workload (default: a new one, which is printed).")
  private Long seed;

  private final SourceNews news = new SourceNews();
  private CommandLines lines;

  @Override
  public Integer call() {
    lines = new CommandLines(spec);
    checkArgument(
        time != null || !verify, "Missing --for: --verify compares when the workload has ended");
    LakestreamConfig config = LakestreamConfig.defaults().withData(data.folder());
    DemoStop stop = DemoStop.register();
    Progress progress = line -> progress(stop, line);
    try {
      LaptopInstance instance = LaptopInstance.start(config, true, progress);
      int code;
      try (instance) {
        code = run(instance, stop);
      }
      if (!verify) {
        instance.sayStopped(); // with --verify, the last line is the outcome
      }
      return code;
    } finally {
      stop.unregister();
    }
  }

  // The last line comes while the process ends: not before the terminal shows lines again.
  private void progress(DemoStop stop, String line) {
    if (ProcessEnd.hasBegun()) {
      stop.stop();
    }
    lines.print(line);
  }

  private int run(LaptopInstance instance, DemoStop stop) {
    DemoDatabase database = DemoDatabase.prepare(instance.postgres().orElseThrow());
    load(database);
    CaptureEngine capture = instance.capture(DemoDatabase.SOURCE, database.source());
    List<TableDefinition> tables = tables(instance);
    awaitCopy(instance, stop, capture);
    try (UnionReader reader = UnionReader.open(instance.tables(), instance.lake())) {
      live(instance, stop, database, new Live(capture, reader, tables));
      return verify ? verify(instance, reader, tables) : ExitCode.OK;
    }
  }

  private record Live(CaptureEngine capture, UnionReader reader, List<TableDefinition> tables) {}

  private void load(DemoDatabase database) {
    try (Connection connection = database.connect()) {
      TpchLoader loader =
          new TpchLoader(
              connection,
              (table, rows) ->
                  lines.say(String.format(Locale.ROOT, "Loaded %s: %,d rows", table, rows)));
      TpchLoader.Outcome outcome =
          loader.load(
              scale == null ? OptionalDouble.empty() : OptionalDouble.of(scale), DEFAULT_SCALE);
      lines.say(
          (outcome.loaded() ? "TPC-H is loaded" : "TPC-H is there from an earlier run")
              + ", scale "
              + outcome.scale());
    } catch (SQLException e) {
      throw DemoDatabase.failed(e);
    }
  }

  // The live part begins when there is a view to look at.
  private void awaitCopy(LaptopInstance instance, DemoStop stop, CaptureEngine capture) {
    long began = System.nanoTime();
    long shown = -1;
    while (!isWhole(capture.status())) {
      instance.awaitFailure(COPY_POLL).ifPresent(DemoCommand::fail);
      stop.waitIfStopping();
      long seconds = (System.nanoTime() - began) / 1_000_000_000;
      CaptureStatus status = capture.status();
      if (status.state() == SourceState.SNAPSHOT && status.reason().isEmpty()) {
        if (seconds > shown) {
          shown = seconds;
          long rows = status.tables().stream().mapToLong(t -> t.changes().applied()).sum();
          lines.say(String.format(Locale.ROOT, "Capturing: %,d rows", rows));
        }
      } else {
        boolean again = status.state() == SourceState.CATCHING_UP && status.reason().isEmpty();
        news.of(status)
            .map(line -> again ? "Catching up with the source" : line)
            .ifPresent(lines::say);
      }
    }
  }

  private static boolean isWhole(CaptureStatus status) {
    return status.state() == SourceState.STREAMING
        && status.tables().stream().noneMatch(table -> table.state() == TableState.SNAPSHOT);
  }

  private static List<TableDefinition> tables(LaptopInstance instance) {
    return instance.tables().list().stream()
        .map(LiveTable::definition)
        .filter(table -> table.name().source().equals(DemoDatabase.SOURCE))
        .sorted(Comparator.comparingInt(table -> place(table.name())))
        .toList();
  }

  // TPC-H's own order; tables that someone added come last.
  private static int place(TableName name) {
    int place = TpchLoader.TABLES.indexOf(name.table());
    return place < 0 ? TpchLoader.TABLES.size() : place;
  }

  private void live(LaptopInstance instance, DemoStop stop, DemoDatabase database, Live live) {
    long chosenSeed = seed == null ? ThreadLocalRandom.current().nextInt(1, 1_000_000) : seed;
    var unused = news.of(live.capture().status()); // that it streams is no news here
    lines.say("Workload: seed=" + chosenSeed + " rate=" + rate + "/s");
    Workload workload =
        Workload.start(database.connect(), chosenSeed, rate, Operation.defaultMix());
    stop.onStop(workload::close);
    Panel panel = Panel.open(text(instance, database, chosenSeed), spec.commandLine().getOut());
    stop.onStop(panel::close);
    DemoSample last;
    try (workload;
        panel) {
      DemoSampler sampler =
          new DemoSampler(
              live.reader(),
              live.capture(),
              workload,
              live.tables().stream().map(TableDefinition::name).toList());
      do {
        last = sampler.sample();
        panel.show(last);
        news.of(live.capture().status()).ifPresent(panel::note);
        instance.awaitFailure(TICK).or(workload::failure).ifPresent(DemoCommand::fail);
        stop.waitIfStopping();
      } while (time == null || last.running().plus(TICK).compareTo(time) < 0);
    }
    lines.say(
        String.format(
            Locale.ROOT,
            "Workload ended: %,d transactions on seed %d",
            workload.committed(),
            chosenSeed));
  }

  private PanelText text(LaptopInstance instance, DemoDatabase database, long chosenSeed) {
    String option = " --data " + instance.folder();
    return new PanelText(
        "Lakestream demo on " + instance.folder() + "   seed " + chosenSeed + "   Ctrl-C stops",
        List.of(
            "From a second terminal:",
            "  ./lakestream read public.orders --limit 5" + option,
            "  ./lakestream status" + option,
            "  ./lakestream verify" + option,
            "  " + database.psql()));
  }

  private int verify(LaptopInstance instance, UnionReader reader, List<TableDefinition> tables) {
    PrintWriter out = spec.commandLine().getOut();
    lines.say("Comparing every row with PostgreSQL ...");
    try (Instance self = Instance.open(instance.folder());
        SourceConnection source = SourceConnection.open(self.source(DemoDatabase.SOURCE));
        SourceReader rows = SourceReader.open(self.source(DemoDatabase.SOURCE))) {
      VerifyReport report =
          new Verifier(
                  rows,
                  source::mark,
                  new UnionView(reader, instance::failure),
                  instance.folder().resolve("tmp"),
                  PATIENCE)
              .verifyQuiet(tables);
      return VerifyPrinter.print(out, List.of(report), QuarantinedRows.read(instance.tables()));
    }
  }

  private static void fail(LakestreamException e) {
    throw e;
  }
}
