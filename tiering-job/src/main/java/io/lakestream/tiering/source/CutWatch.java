package io.lakestream.tiering.source;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.system.CutLog;
import java.time.Duration;
import java.util.Optional;

/**
 * The newest cut of one source, shared by all of its tables. Looking costs one short call where
 * there is no newer one. For one thread at a time.
 */
final class CutWatch implements AutoCloseable {
  /**
   * The newest cut and how long it has been the newest.
   *
   * @param newest empty before the source's first cut
   * @param age since this job first saw it; without a cut, since the watch was opened
   */
  record Sight(Optional<Cut> newest, Duration age) {}

  private final CutLog log;
  private Optional<Cut> newest = Optional.empty();
  private long movedAtNanos = System.nanoTime();

  private CutWatch(CutLog log) {
    this.log = log;
  }

  static CutWatch open(FlussTables tables, String source) {
    return new CutWatch(CutLog.open(tables, source));
  }

  /** Looks for a newer cut. Blocks while Fluss answers. */
  Sight look() {
    Optional<Cut> found = log.latest();
    if (!found.map(Cut::sequence).equals(newest.map(Cut::sequence))) {
      movedAtNanos = System.nanoTime();
    }
    newest = found;
    return new Sight(newest, Duration.ofNanos(System.nanoTime() - movedAtNanos));
  }

  @Override
  public void close() {
    log.close();
  }
}
