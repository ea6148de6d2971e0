package io.lakestream.distribution.laptop;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.distribution.config.SourceSettings;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.FlussCalls;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.lake.LakeTables;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A running instance as another process sees it: its endpoints, and connections to Fluss and the
 * lake that open when first asked for. For one thread.
 */
public final class Instance implements AutoCloseable {
  private final Path folder;
  private final Endpoints endpoints;
  private FlussTables tables;
  private LakeTables lake;

  private Instance(Path folder, Endpoints endpoints) {
    this.folder = folder;
    this.endpoints = endpoints;
  }

  /**
   * Finds the instance that runs on a data folder.
   *
   * @throws LakestreamException NOT_RUNNING where none does, also where one was killed and left its
   *     endpoints behind, or one is starting or stopping
   */
  public static Instance open(Path folder) {
    if (!DataFolder.isInUse(folder)) {
      throw new LakestreamException(
          ErrorCode.NOT_RUNNING,
          "Cannot find a running instance in the data folder %s: nothing runs on it. Start one with 'lakestream demo' or 'lakestream up', or name its folder with --data.",
          folder);
    }
    return new Instance(folder, Endpoints.find(folder).orElseThrow(() -> onTheMove(folder)));
  }

  private static LakestreamException onTheMove(Path folder) {
    return Endpoints.areStopping(folder)
        ? new LakestreamException(
            ErrorCode.NOT_RUNNING,
            "The instance on the data folder %s is stopping. Start it again when it has stopped.",
            folder)
        : new LakestreamException(
            ErrorCode.NOT_RUNNING,
            "The instance on the data folder %s is still starting. Wait a few seconds and try again.",
            folder);
  }

  /**
   * Says whether the instance has stopped, or begun to, since it was opened: then what fails here
   * fails because of that. Empty while it runs.
   */
  public Optional<LakestreamException> whyGone() {
    if (!DataFolder.isInUse(folder)) {
      return Optional.of(
          new LakestreamException(
              ErrorCode.NOT_RUNNING,
              "The instance on the data folder %s has stopped meanwhile. Start it again with the command that started it.",
              folder));
    }
    Optional<Endpoints> now = Endpoints.find(folder);
    if (now.isEmpty()) {
      return Optional.of(onTheMove(folder));
    }
    boolean same =
        now.get().pid() == endpoints.pid() && now.get().startedAt().equals(endpoints.startedAt());
    return same
        ? Optional.empty()
        : Optional.of(
            new LakestreamException(
                ErrorCode.NOT_RUNNING,
                "The instance on the data folder %s was stopped and started meanwhile. Try again.",
                folder));
  }

  public Path folder() {
    return folder;
  }

  public Endpoints endpoints() {
    return endpoints;
  }

  /**
   * How to connect to a source of this instance, with its password.
   *
   * @throws LakestreamException INVALID_ARGUMENT where there is no such source, INVALID_CONFIG
   *     where this process cannot find the password
   */
  public SourceConfig source(String name) {
    SourceSettings settings = endpoints.sources().get(name);
    if (settings == null) {
      throw new LakestreamException(
          ErrorCode.INVALID_ARGUMENT,
          "Unknown source: '%s' (sources: %s)",
          name,
          String.join(", ", endpoints.sources().keySet()));
    }
    return Stages.source(name, settings);
  }

  /**
   * Parses a position in a source's log as users write it. Throws INVALID_ARGUMENT where it is not
   * one, or not one of a source of this kind.
   */
  public SourcePosition parsePosition(String source, String text) {
    SourceSettings settings = endpoints.sources().get(source);
    if (settings != null) {
      return settings.type().parsePosition(text);
    }
    // Of a source that is not captured any more.
    return text.indexOf('/') < 0 ? SourcePosition.parseBinlog(text) : SourcePosition.parseLsn(text);
  }

  /** The Fluss tables; open until {@link #close}. */
  public FlussTables tables() {
    if (tables == null) {
      tables = FlussTables.open(endpoints.flussBootstrap());
    }
    return tables;
  }

  /** The lake; open until {@link #close}. */
  public LakeTables lake() {
    if (lake == null) {
      lake = LakeTables.open(endpoints.lake());
    }
    return lake;
  }

  @Override
  public void close() {
    if (lake != null) {
      FlussCalls.close(lake, "the lake catalog");
    }
    if (tables != null) {
      tables.close();
    }
  }
}
