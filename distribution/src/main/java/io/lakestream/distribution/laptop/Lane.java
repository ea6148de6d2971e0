package io.lakestream.distribution.laptop;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** A start that runs beside others, in a thread of its own. */
final class Lane<T> {
  private final CompletableFuture<T> result = new CompletableFuture<>();

  private Lane() {}

  static <T> Lane<T> start(String name, Callable<T> start) {
    Lane<T> lane = new Lane<>();
    Thread thread = new Thread(() -> lane.run(start), "start " + name);
    thread.setDaemon(true);
    thread.start();
    return lane;
  }

  private void run(Callable<T> start) {
    try {
      result.complete(start.call());
    } catch (Exception e) {
      result.completeExceptionally(e);
    }
  }

  /** Waits for the end of it, and throws what it threw. */
  T await() throws Exception {
    try {
      return result.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    }
  }
}
