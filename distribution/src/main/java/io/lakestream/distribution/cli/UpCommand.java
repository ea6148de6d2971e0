package io.lakestream.distribution.cli;

import io.lakestream.distribution.config.ConfigReader;
import io.lakestream.distribution.config.LakestreamConfig;
import io.lakestream.distribution.laptop.LaptopInstance;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.PrintWriter;
import java.nio.file.Path;
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

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    LakestreamConfig read = ConfigReader.read(config);
    LakestreamConfig chosen = data == null ? read : read.withData(data);
    if (chosen.sources().isEmpty()) {
      throw new LakestreamException(
          ErrorCode.INVALID_CONFIG,
          "Cannot start: %s names no source. Add one below the key sources, see lakestream.example.yaml.",
          config);
    }
    try (LaptopInstance instance =
        LaptopInstance.start(
            chosen,
            false,
            line -> {
              out.println(line);
              out.flush();
            })) {
      throw instance.awaitFailure();
    }
  }
}
