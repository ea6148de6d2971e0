package io.lakestream.distribution.query;

import io.lakestream.distribution.cli.DataOption;
import io.lakestream.distribution.laptop.Instance;
import io.lakestream.distribution.laptop.LogFile;
import io.lakestream.tables.ddl.FlussCalls;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.error.NearName;
import io.lakestream.tables.system.StateBoard;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Which source a command means, and where its Fluss is: that of an instance on this machine, or of
 * a cluster that {@code lakestream cdc run} captures into. Use as a picocli mixin.
 */
final class CaptureTarget {
  @Mixin private DataOption data;

  @Option(
      names = "--fluss",
      paramLabel = "HOST:PORT",
      description = "Fluss cluster that 'lakestream cdc run' captures into, in place of --data.")
  private String fluss;

  @Option(
      names = "--source",
      paramLabel = "S",
      description = "The source; not needed where there is only one.")
  private String source;

  /**
   * A connection and the source.
   *
   * @param owner of the connection
   */
  record Opened(FlussTables tables, String source, AutoCloseable owner) implements AutoCloseable {
    @Override
    public void close() {
      FlussCalls.close(owner, "the connection to Fluss");
    }
  }

  /**
   * Connects.
   *
   * @throws LakestreamException NOT_RUNNING where nothing runs there, INVALID_ARGUMENT where the
   *     source is not clear
   */
  Opened open() {
    if (fluss == null) {
      Instance instance = data.open();
      try {
        return new Opened(instance.tables(), SourceChoice.find(instance, source), instance);
      } catch (RuntimeException e) {
        instance.close();
        throw e;
      }
    }
    LogFile.silence();
    FlussTables tables = FlussTables.open(fluss);
    try {
      return new Opened(tables, find(tables), tables);
    } catch (RuntimeException e) {
      tables.close();
      throw e;
    }
  }

  private String find(FlussTables tables) {
    List<String> names;
    try (StateBoard board = StateBoard.open(tables)) {
      names = board.list().stream().map(StateBoard.Entry::source).distinct().toList();
    }
    if (source == null && names.size() == 1) {
      return names.get(0);
    }
    if (source != null && names.contains(source)) {
      return source;
    }
    throw new LakestreamException(
        ErrorCode.INVALID_ARGUMENT,
        "%s The sources of %s: %s",
        source == null
            ? "Missing --source."
            : "Unknown source: '"
                + source
                + "'."
                + NearName.of(source, names)
                    .map(near -> " Did you mean '" + near + "'?")
                    .orElse(""),
        fluss,
        names.isEmpty() ? "none yet" : String.join(", ", names));
  }
}
