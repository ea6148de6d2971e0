package io.lakestream.distribution.serve;

import io.lakestream.cdc.CaptureEngine;
import io.lakestream.cdc.CaptureStatus;
import io.lakestream.distribution.cli.SourceNews;
import io.lakestream.distribution.cli.Version;
import io.lakestream.distribution.config.ConfigReader;
import io.lakestream.distribution.config.LakestreamConfig;
import io.lakestream.distribution.laptop.LogFile;
import io.lakestream.distribution.laptop.ProcessEnd;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "run",
    description = {
      "Captures the sources of a configuration into a Fluss cluster that is there already (fluss.bootstrap-servers), as a process of its own, until Ctrl-C or SIGTERM. Serves /livez, /readyz and /metrics. Run one for a source, not two: nothing keeps a second one from writing yet."
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

  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "lakestream.yaml",
      description = "Configuration (default: ${DEFAULT-VALUE}); all keys: lakestream.example.yaml.")
  private Path config;

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

  private final SourceNews news = new SourceNews();

  @Override
  public Integer call() {
    LakestreamConfig read = ConfigReader.read(config);
    LakestreamConfig chosen = data == null ? read : read.withData(data);
    check(chosen);
    LogFile.open(chosen.data(), "cdc");
    LOG.info("Starting: version={} config={}", Version.lakestream(), chosen);
    try (CaptureProcess process = CaptureProcess.open(chosen)) {
      Thread hook = new Thread(() -> stopForExit(process), "lakestream-shutdown");
      Runtime.getRuntime().addShutdownHook(hook);
      say("Health and metrics: " + process.url());
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
          config);
    }
    if (chosen.sources().isEmpty()) {
      throw new LakestreamException(
          ErrorCode.INVALID_CONFIG,
          "Cannot run: %s names no source. Add one below the key sources, see lakestream.example.yaml.",
          config);
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
                warn("source " + name + " is not captured. " + e.getMessage());
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
        news.of(status).ifPresent(line -> tell(status, line));
        engine.failure().ifPresent(failures::add);
        if (due) {
          say(ProgressLine.of(status));
        }
      }
      if (failures.size() == process.engines().size()) {
        throw failures.get(0);
      }
      printed = due ? System.nanoTime() : printed;
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
    }
  }

  private void tell(CaptureStatus status, String line) {
    if (status.reason().isEmpty()) {
      say(line);
    } else {
      warn(line);
    }
  }

  private void stopForExit(CaptureProcess process) {
    process.close();
    print(spec.commandLine().getOut(), "Stopped.");
    LogFile.close();
  }

  private void say(String line) {
    if (!ProcessEnd.hasBegun()) {
      print(spec.commandLine().getOut(), line);
    }
  }

  private void warn(String line) {
    if (!ProcessEnd.hasBegun()) {
      print(spec.commandLine().getErr(), "lakestream: " + line);
    }
  }

  private static void print(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }
}
