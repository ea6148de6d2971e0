package io.lakestream.distribution.laptop;

import io.lakestream.tables.error.LakestreamException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
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
    executor.scheduleWithFixedDelay(
        () -> check.get().ifPresent(onFailure),
        interval.toMillis(),
        interval.toMillis(),
        TimeUnit.MILLISECONDS);
    return new Watch(executor);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
