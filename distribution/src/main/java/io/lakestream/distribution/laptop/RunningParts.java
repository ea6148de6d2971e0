package io.lakestream.distribution.laptop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was started, and its end within one time limit: layer by layer from the top, the parts of a
 * layer side by side. A stop that comes while parts start waits for those and lets no further one
 * begin, so nothing half-started stays.
 */
final class RunningParts {
  /** From the bottom to the top: a part needs only parts of lower layers. */
  enum Layer {
    FOLDER,
    COORDINATION,
    STORAGE,
    STAGES,
    FRONT
  }

  private static final Logger LOG = LoggerFactory.getLogger(RunningParts.class);
  private static final long SHORTEST_WAIT_MS = 500;

  private record Part(String name, Layer layer, AutoCloseable closeable) {}

  private final List<Part> parts = new ArrayList<>();
  // Starts share it, the stop has it alone.
  private final ReadWriteLock gate = new ReentrantReadWriteLock();
  private volatile boolean stopping;

  /**
   * Starts one part.
   *
   * @throws CancellationException where the stop has begun
   */
  <T extends AutoCloseable> T start(Layer layer, String name, Callable<T> start) throws Exception {
    gate.readLock().lock();
    try {
      if (stopping) {
        throw new CancellationException("stopped before " + name + " was started");
      }
      T part = start.call();
      synchronized (parts) {
        parts.add(new Part(name, layer, part));
      }
      return part;
    } finally {
      gate.readLock().unlock();
    }
  }

  /** Stops all parts; waits for a stop that is under way. */
  void stop(Duration limit) {
    stopping = true;
    gate.writeLock().lock();
    try {
      long deadline = System.nanoTime() + limit.toNanos();
      Layer[] layers = Layer.values();
      for (int i = layers.length - 1; i >= 0; i--) {
        stop(takeAll(layers[i]), deadline);
      }
    } finally {
      gate.writeLock().unlock();
    }
  }

  private List<Part> takeAll(Layer layer) {
    synchronized (parts) {
      List<Part> taken = parts.stream().filter(part -> part.layer() == layer).toList();
      parts.removeAll(taken);
      return taken;
    }
  }

  // A part that hangs must not keep those under it from stopping: PostgreSQL is a process that
  // would outlive us.
  private static void stop(List<Part> layer, long deadline) {
    List<Thread> threads = new ArrayList<>();
    for (Part part : layer) {
      Thread thread = new Thread(() -> close(part), "stop " + part.name());
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
      try {
        thread.join(Math.max(leftMs, SHORTEST_WAIT_MS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (thread.isAlive()) {
        LOG.warn("Part takes too long: thread={}", thread.getName());
      }
    }
  }

  private static void close(Part part) {
    long began = System.nanoTime();
    try {
      part.closeable().close();
      LOG.info(
          "Stopped: part={} ms={}",
          part.name(),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    } catch (Exception e) {
      LOG.warn("Part did not stop cleanly: part={}", part.name(), e);
    }
  }
}
