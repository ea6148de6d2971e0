package io.lakestream.distribution.serve;

import io.lakestream.cdc.CaptureEngine;
import io.lakestream.cdc.CaptureStatus;
import io.lakestream.distribution.cli.CommandLines;
import io.lakestream.distribution.cli.ConfigOption;
import io.lakestream.distribution.cli.Version;
import io.lakestream.distribution.config.LakestreamConfig;
import io.lakestream.distribution.laptop.LogFile;
import io.lakestream.distribution.laptop.ProcessEnd;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "run",
    description = {
      "Captures the sources of a configuration into a Fluss cluster that is there already (fluss.bootstrap-servers), as a process of its own, until Ctrl-C or SIGTERM. Serves /livez, /readyz and /metrics. Run only one for a source: there is no standby yet."
    },
    footer = {
      "",
      "Examples:",
      "  SHOP_PASSWORD=… lakestream cdc run --config lakestream.yaml",
      "  lakestream cdc quarantine list --fluss 10.0.0.5:9123 --source shop"
    })
public final class CdcRunCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(CdcRunCommand.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  @Spec private CommandSpec spec;

  @Mixin private ConfigOption config;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Folder for the log file, instead of the one in the configuration. Nothing else is kept there.")
  private Path data;

  @Option(
      names = "--progress",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "A line per source so often; 0 for none (default: ${DEFAULT-VALUE}).")
  private int progressSeconds;

  private CommandLines lines;

  @Override
  public Integer call() {
    lines = new CommandLines(spec);
    LakestreamConfig read = config.read("run");
    LakestreamConfig chosen = data == null ? read : read.withData(data);
    check(chosen);
    LogFile.open(chosen.data(), "cdc");
    LOG.info("Starting: version={} config={}", Version.lakestream(), chosen);
    try (CaptureProcess process = CaptureProcess.open(chosen)) {
      Thread hook = new Thread(() -> stopForExit(process), "lakestream-shutdown");
      Runtime.getRuntime().addShutdownHook(hook);
      lines.say("Health and metrics: " + process.url());
      start(process, chosen);
      follow(process);
    }
    return 0;
  }

  private void check(LakestreamConfig chosen) {
    if (chosen.fluss().bootstrapServers().isBlank()) {
      throw new LakestreamException(
          ErrorCode.INVALID_CONFIG,
          "Cannot run: %s names no Fluss cluster. Add fluss: {bootstrap-servers: \"host:port\"}, or use 'lakestream up', which brings its own.",
          config.file());
    }
  }

  // A source that cannot be captured leaves the others to go on; without any there is no point.
  private void start(CaptureProcess process, LakestreamConfig chosen) {
    List<LakestreamException> failures = new ArrayList<>();
    chosen
        .sources()
        .forEach(
            (name, settings) -> {
              try {
                process.capture(name, settings);
              } catch (LakestreamException e) {
                failures.add(e);
                lines.warnNotCaptured(name, e.getMessage());
              }
            });
    if (failures.size() == chosen.sources().size()) {
      throw failures.get(0);
    }
  }

  private void follow(CaptureProcess process) {
    long printed = System.nanoTime();
    while (true) {
      ProcessEnd.waitIfBegun();
      boolean due =
          progressSeconds > 0
              && System.nanoTime() - printed > Duration.ofSeconds(progressSeconds).toNanos();
      List<LakestreamException> failures = new ArrayList<>();
      for (CaptureEngine engine : process.engines()) {
        CaptureStatus status = engine.status();
        lines.news(status);
        engine.failure().ifPresent(failures::add);
        if (due) {
          lines.say(ProgressLine.of(status));
        }
      }
      if (failures.size() == process.engines().size()) {
        throw failures.get(0);
      }
      printed = due ? System.nanoTime() : printed;
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  private void stopForExit(CaptureProcess process) {
    process.close();
    lines.print("Stopped.");
    LogFile.close();
  }
}
