package io.lakestream.distribution.verify;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.union.UnionReader;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Waits until the view covers a position of a source: how a client reads its own writes. */
public final class CutWait {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private CutWait() {}

  /**
   * Waits.
   *
   * @param failure asked while waiting: why the view will never get there, if so
   * @return the newest cut, which covers {@code position}
   * @throws LakestreamException TIMEOUT that says how far the view is
   */
  public static Cut await(
      UnionReader reader,
      String source,
      SourcePosition position,
      Duration timeout,
      Supplier<Optional<LakestreamException>> failure) {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      Optional<Cut> newest = reader.newestCut(source);
      if (newest.isPresent() && newest.get().position().covers(position)) {
        return newest.get();
      }
      failure
          .get()
          .ifPresent(
              e -> {
                throw e;
              });
      if (System.nanoTime() - deadline >= 0 || Thread.currentThread().isInterrupted()) {
        throw new LakestreamException(
            ErrorCode.TIMEOUT,
            "The view of source %s does not cover position %s after %s ms: %s. 'lakestream status' shows whether capture runs; a longer --timeout waits longer.",
            source,
            position,
            timeout.toMillis(),
            newest
                .map(cut -> "it reaches " + cut.position())
                .orElse("its first copy is not complete"));
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }
}
