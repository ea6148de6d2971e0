package io.lakestream.distribution.cli;

import io.lakestream.cdc.CaptureStatus;
import io.lakestream.distribution.config.ConfigReader;
import io.lakestream.distribution.config.LakestreamConfig;
import io.lakestream.distribution.config.SourceSettings;
import io.lakestream.distribution.laptop.LaptopInstance;
import io.lakestream.distribution.laptop.ProcessEnd;
import io.lakestream.distribution.laptop.SourceProbe;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.system.StateBoard.TableState;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "up",
    description = {
      "Captures your own database: starts ZooKeeper, Fluss, the tiering job and a capture engine per source in one process, and runs until Ctrl-C.",
    },
    footer = {
      "",
      "Examples:",
      "  SHOP_PASSWORD=… lakestream up --config lakestream.yaml",
      "  lakestream up --config lakestream.yaml --data /var/lib/lakestream"
    })
final class UpCommand implements Callable<Integer> {
  private static final Duration WATCH_INTERVAL = Duration.ofSeconds(1);

  @Spec private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "lakestream.yaml",
      description = "Configuration (default: ${DEFAULT-VALUE}); all keys: lakestream.example.yaml.")
  private Path config;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data folder, instead of the one in the configuration.")
  private Path data;

  private final SourceNews news = new SourceNews();

  @Override
  public Integer call() {
    LakestreamConfig read = ConfigReader.read(config);
    LakestreamConfig chosen = data == null ? read : read.withData(data);
    if (chosen.sources().isEmpty()) {
      throw new LakestreamException(
          ErrorCode.INVALID_CONFIG,
          "Cannot start: %s names no source. Add one below the key sources, see lakestream.example.yaml.",
          config);
    }
    Map<String, LakestreamException> faults = probe(chosen.sources());
    try (LaptopInstance instance = LaptopInstance.start(chosen, false, this::print)) {
      capture(instance, chosen.sources(), faults);
      say("Running on " + instance.folder() + ", until Ctrl-C. From another terminal:");
      String option = " --data " + instance.folder();
      say("  lakestream tables" + option);
      say("  lakestream status" + option);
      say("  lakestream read TABLE --limit 10" + option);
      say("Health and metrics of capture: " + instance.httpUrl());
      while (true) {
        instance.awaitFailure(WATCH_INTERVAL).ifPresent(UpCommand::fail);
        instance.captures().values().forEach(engine -> report(engine.status()));
      }
    }
  }

  // Before anything is started: what can be mended only at the source need not cost a start.
  private Map<String, LakestreamException> probe(Map<String, SourceSettings> sources) {
    Map<String, LakestreamException> faults = SourceProbe.check(sources);
    if (sources.size() == 1 && !faults.isEmpty()) {
      throw faults.values().iterator().next();
    }
    faults.forEach((name, fault) -> warnNotCaptured(name, fault));
    if (faults.size() == sources.size()) {
      throw new LakestreamException(
          faults.values().iterator().next().code(),
          "Cannot start: none of the %s sources can be captured, for the reasons above.",
          sources.size());
    }
    return faults;
  }

  private void warnNotCaptured(String name, LakestreamException fault) {
    warn("source " + name + " is not captured. " + fault.getMessage());
  }

  // A source that cannot be captured leaves the others to go on; without any there is no point.
  private void capture(
      LaptopInstance instance,
      Map<String, SourceSettings> sources,
      Map<String, LakestreamException> known) {
    List<LakestreamException> failures = new ArrayList<>();
    sources.forEach(
        (name, source) -> {
          try {
            reportStart(name, instance.capture(name, source).status());
          } catch (LakestreamException e) {
            failures.add(e);
            LakestreamException before = known.get(name);
            boolean said = before != null && before.getMessage().equals(e.getMessage());
            if (sources.size() > 1 && !said) {
              warnNotCaptured(name, e);
            }
          }
        });
    if (failures.size() == sources.size()) {
      throw failures.get(0);
    }
  }

  private void reportStart(String name, CaptureStatus status) {
    List<CaptureStatus.Table> refused =
        status.tables().stream().filter(table -> table.state() == TableState.REFUSED).toList();
    say(
        String.format(
            "Capture of %s is up: %s tables", name, status.tables().size() - refused.size()));
    refused.forEach(table -> warn(table.reason()));
    status.tables().stream()
        .filter(t -> t.state() == TableState.PAUSED || t.state() == TableState.STALE)
        .forEach(table -> warn(table.reason()));
  }

  private void report(CaptureStatus status) {
    news.of(status)
        .ifPresent(
            line -> {
              if (status.reason().isEmpty()) {
                say(line);
              } else {
                warn(line);
              }
            });
  }

  private static void fail(LakestreamException e) {
    throw e;
  }

  private void say(String line) {
    if (!ProcessEnd.hasBegun()) {
      print(line);
    }
  }

  private void print(String line) {
    PrintWriter out = spec.commandLine().getOut();
    out.println(line);
    out.flush();
  }

  private void warn(String line) {
    if (ProcessEnd.hasBegun()) {
      return; // whatever fails while all is being stopped is no news
    }
    PrintWriter err = spec.commandLine().getErr();
    err.println("lakestream: " + line);
    err.flush();
  }
}
