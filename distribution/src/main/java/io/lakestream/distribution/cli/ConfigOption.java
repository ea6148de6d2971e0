package io.lakestream.distribution.cli;

import io.lakestream.distribution.config.ConfigReader;
import io.lakestream.distribution.config.LakestreamConfig;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** {@code --config}: the configuration that a command works on. */
public final class ConfigOption {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      defaultValue = "lakestream.yaml",
      description = "Configuration (default: ${DEFAULT-VALUE}); all keys: lakestream.example.yaml.")
  private Path config;

  /** The file. */
  public Path file() {
    return config;
  }

  /**
   * Reads the file, which must name a source.
   *
   * @param what the command does, for its error: {@code start}
   * @throws LakestreamException INVALID_CONFIG
   */
  public LakestreamConfig read(String what) {
    LakestreamConfig read = ConfigReader.read(config);
    if (read.sources().isEmpty()) {
      throw new LakestreamException(
          ErrorCode.INVALID_CONFIG,
          "Cannot %s: %s names no source. Add one below the key sources, see lakestream.example.yaml.",
          what,
          config);
    }
    return read;
  }
}
