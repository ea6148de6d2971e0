package io.lakestream.distribution.cli;

import io.lakestream.cdc.CaptureStatus;
import io.lakestream.distribution.config.LakestreamConfig;
import io.lakestream.distribution.config.SourceSettings;
import io.lakestream.distribution.laptop.LaptopInstance;
import io.lakestream.distribution.laptop.SourceProbe;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.system.StateBoard.TableState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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

  @Mixin private ConfigOption config;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data folder, instead of the one in the configuration.")
  private Path data;

  private CommandLines lines;

  @Override
  public Integer call() {
    lines = new CommandLines(spec);
    LakestreamConfig read = config.read("start");
    LakestreamConfig chosen = data == null ? read : read.withData(data);
    Map<String, LakestreamException> faults = probe(chosen.sources());
    try (LaptopInstance instance = LaptopInstance.start(chosen, false, lines::print)) {
      capture(instance, chosen.sources(), faults);
      lines.say("Running on " + instance.folder() + ", until Ctrl-C. From another terminal:");
      String option = " --data " + instance.folder();
      lines.say("  lakestream tables" + option);
      lines.say("  lakestream status" + option);
      lines.say("  lakestream read TABLE --limit 10" + option);
      lines.say("Health and metrics of capture: " + instance.httpUrl());
      while (true) {
        instance.awaitFailure(WATCH_INTERVAL).ifPresent(UpCommand::fail);
        instance.captures().values().forEach(engine -> lines.news(engine.status()));
      }
    }
  }

  // Before anything is started: what can be mended only at the source need not cost a start.
  private Map<String, LakestreamException> probe(Map<String, SourceSettings> sources) {
    Map<String, LakestreamException> faults = SourceProbe.check(sources);
    if (sources.size() == 1 && !faults.isEmpty()) {
      throw faults.values().iterator().next();
    }
    faults.forEach((name, fault) -> lines.warnNotCaptured(name, fault.getMessage()));
    if (faults.size() == sources.size()) {
      throw new LakestreamException(
          faults.values().iterator().next().code(),
          "Cannot start: none of the %s sources can be captured, for the reasons above.",
          sources.size());
    }
    return faults;
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
              lines.warnNotCaptured(name, e.getMessage());
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
    lines.say(
        String.format(
            "Capture of %s is up: %s tables", name, status.tables().size() - refused.size()));
    refused.forEach(table -> lines.warn(table.reason()));
    status.tables().stream()
        .filter(t -> t.state() == TableState.PAUSED || t.state() == TableState.STALE)
        .forEach(table -> lines.warn(table.reason()));
  }

  private static void fail(LakestreamException e) {
    throw e;
  }
}
