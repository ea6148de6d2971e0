package io.lakestream.distribution.cli;

import io.lakestream.distribution.laptop.Instance;
import io.lakestream.distribution.laptop.LogFile;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** {@code --data DIR}: which instance a command means. Use as a picocli mixin. */
public final class DataOption {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "./data",
      description = "Data folder of the instance (default: ${DEFAULT-VALUE}).")
  private Path data;

  private Instance opened;

  /** The folder as an absolute path; it may not exist. */
  public Path folder() {
    return data.toAbsolutePath().normalize();
  }

  /**
   * Opens the running instance, and the log file {@code commands.log} in its folder. The caller
   * closes it.
   *
   * @throws io.lakestream.tables.error.LakestreamException NOT_RUNNING where none runs on the
   *     folder
   */
  public Instance open() {
    Instance instance = Instance.open(folder());
    LogFile.open(folder(), "commands");
    opened = instance;
    return instance;
  }

  /** The instance that {@link #open} found, also after it was closed. */
  Optional<Instance> opened() {
    return Optional.ofNullable(opened);
  }
}
