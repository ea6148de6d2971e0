package io.lakestream.distribution.laptop;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Asks now and then whether all is well. */
final class Watch implements AutoCloseable {
  private final ScheduledExecutorService executor;

  private Watch(ScheduledExecutorService executor) {
    this.executor = executor;
  }

  /** Runs the check every {@code interval} and hands on each failure it finds. */
  static Watch start(
      Duration interval,
      Supplier<Optional<LakestreamException>> check,
      Consumer<LakestreamException> onFailure) {
    ScheduledExecutorService executor =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "lakestream-watch");
              thread.setDaemon(true);
              return thread;
            });
    ScheduledFuture<?> unused =
        executor.scheduleWithFixedDelay(
            () -> look(check, onFailure),
            interval.toMillis(),
            interval.toMillis(),
            TimeUnit.MILLISECONDS);
    return new Watch(executor);
  }

  // A check that throws would end the schedule without a word.
  private static void look(
      Supplier<Optional<LakestreamException>> check, Consumer<LakestreamException> onFailure) {
    try {
      check.get().ifPresent(onFailure);
    } catch (RuntimeException e) {
      onFailure.accept(
          new LakestreamException(e, ErrorCode.INTERNAL, "Cannot watch the parts that run: %s", e));
    }
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
