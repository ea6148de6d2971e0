package io.lakestream.distribution.laptop;

import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether this process is ending, by Ctrl-C, SIGTERM or its own {@code exit}. What fails from then
 * on fails because parts are being stopped, and is no news to anybody.
 */
public final class ProcessEnd {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessEnd.class);

  private ProcessEnd() {}

  /** True once shutdown hooks run. */
  public static boolean hasBegun() {
    Thread probe = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(probe);
      Runtime.getRuntime().removeShutdownHook(probe);
      return false;
    } catch (IllegalStateException e) {
      return true; // the only thing that the JVM says about it
    }
  }

  /** Does not return once the process is ending. Not for shutdown hooks. */
  public static void waitIfBegun() {
    if (!hasBegun()) {
      return;
    }
    Thread self = Thread.currentThread();
    while (self.isAlive()) {
      // Whoever interrupts wants this thread to end, and it ends with the process.
      if (Thread.interrupted()) {
        LOG.debug("Interrupted while the process ends");
      }
      LockSupport.park(self);
    }
  }
}
