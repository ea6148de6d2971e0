package io.lakestream.union.plan;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.system.CutLog;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds cuts. Keeps one cut log per source open, which follows the newest cut entry by entry. Safe
 * for many threads, one at a time.
 */
public final class Cuts implements AutoCloseable {
  private final FlussTables tables;
  private final Map<String, CutLog> logs = new HashMap<>();

  public Cuts(FlussTables tables) {
    this.tables = tables;
  }

  /** The newest cut of a source; empty before its first. */
  public synchronized Optional<Cut> newest(String source) {
    return log(source).latest();
  }

  /**
   * Resolves a point of reading.
   *
   * @return empty for {@link ReadPoint#latest} only
   * @throws LakestreamException POSITION_NOT_COVERED where no cut reaches the point yet,
   *     POSITION_TOO_OLD where no cut that old is kept, INVALID_ARGUMENT for a cut of another
   *     source
   */
  public synchronized Optional<Cut> resolve(String source, ReadPoint point) {
    if (point instanceof ReadPoint.AtCut at) {
      if (!at.cut().source().equals(source)) {
        throw new LakestreamException(
            ErrorCode.INVALID_ARGUMENT,
            "Cannot read a table of source %s at a cut of source %s. Use a cut of its own source.",
            source,
            at.cut().source());
      }
      return Optional.of(at.cut());
    }
    if (point instanceof ReadPoint.AtPosition at) {
      return Optional.of(atOrBefore(source, at.position()));
    }
    return point instanceof ReadPoint.LatestCut
        ? Optional.of(requireNewest(source))
        : Optional.empty();
  }

  private Cut requireNewest(String source) {
    return newest(source)
        .orElseThrow(
            () ->
                new LakestreamException(
                    ErrorCode.POSITION_NOT_COVERED,
                    "Cannot read source %s at a cut: it has none yet, because its first copy is not complete. Read at latest, or wait until it is (lakestream wait --source %s).",
                    source,
                    source));
  }

  private Cut atOrBefore(String source, SourcePosition position) {
    Cut newest = requireNewest(source);
    if (!newest.position().covers(position)) {
      throw new LakestreamException(
          ErrorCode.POSITION_NOT_COVERED,
          "Cannot read source %s at position %s: the view reaches %s. Wait until it is covered (lakestream wait --source %s --position %s), or ask for an earlier one.",
          source,
          position,
          newest.position(),
          source,
          position);
    }
    return log(source)
        .latestAtOrBefore(position)
        .orElseThrow(
            () ->
                new LakestreamException(
                    ErrorCode.POSITION_TOO_OLD,
                    "Cannot read source %s at position %s: no cut that old is kept. Ask for a later position; the newest is %s.",
                    source,
                    position,
                    newest.position()));
  }

  private CutLog log(String source) {
    return logs.computeIfAbsent(source, name -> CutLog.open(tables, name));
  }

  @Override
  public synchronized void close() {
    logs.values().forEach(CutLog::close);
    logs.clear();
  }
}
