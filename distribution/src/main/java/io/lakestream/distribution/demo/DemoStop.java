package io.lakestream.distribution.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ctrl-C: ends the workload and gives the terminal back, beside the instance's own hook that stops
 * the parts, and keeps the command from telling of failures that the stop itself causes.
 */
final class DemoStop {
  private static final Logger LOG = LoggerFactory.getLogger(DemoStop.class);

  private final Deque<Runnable> actions = new ArrayDeque<>();
  private final Thread hook = new Thread(this::stop, "demo-stop");
  private volatile boolean stopping;

  private DemoStop() {}

  static DemoStop register() {
    DemoStop stop = new DemoStop();
    Runtime.getRuntime().addShutdownHook(stop.hook);
    return stop;
  }

  /**
   * Adds what to do on Ctrl-C; the last comes first. It may run beside the command's own thread.
   */
  void onStop(Runnable action) {
    synchronized (actions) {
      actions.push(action);
    }
  }

  /** Does what there is to do; where another thread is at it, waits until it is done. */
  void stop() {
    stopping = true;
    synchronized (actions) {
      for (Runnable action = actions.poll(); action != null; action = actions.poll()) {
        try {
          action.run();
        } catch (RuntimeException e) {
          LOG.warn("Demo did not stop cleanly", e);
        }
      }
    }
  }

  /** Does not return once the process is ending. */
  void waitIfStopping() {
    while (stopping) {
      try {
        hook.join();
        Thread.currentThread().join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  void unregister() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      LOG.debug("The process is ending already", e);
    }
  }
}
