package io.lakestream.cdc.mariadb;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Records between the thread that reads the binlog and the one that writes them: bounded by number
 * and by bytes, so that rows of many megabytes do not fill the heap.
 */
final class RecordQueue {
  private static final int MAX_RECORDS = 16_384;
  private static final long MAX_BYTES = 48L << 20;
  private static final int MAX_BATCH_RECORDS = 8_192;
  private static final long MAX_BATCH_BYTES = 24L << 20;

  private record Entry(SourceRecord source, long bytes) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition moved = lock.newCondition();
  private final ArrayDeque<Entry> entries = new ArrayDeque<>();
  private long bytes;
  private Throwable failure;
  private boolean closed;

  /** Adds records; waits while the queue is full. Does nothing once the queue is closed. */
  void put(List<SourceRecord> records, long eventBytes) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long each = eventBytes / Math.max(1, records.size());
      for (SourceRecord added : records) {
        while (!closed
            && !entries.isEmpty()
            && (entries.size() >= MAX_RECORDS || bytes + each > MAX_BYTES)) {
          moved.signalAll();
          moved.await();
        }
        if (closed) {
          return;
        }
        entries.add(new Entry(added, each));
        bytes += each;
      }
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the stream: what is in the queue is still handed out, then the failure thrown. */
  void fail(Throwable reason) {
    lock.lock();
    try {
      if (failure == null) {
        failure = reason;
      }
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Takes what is there, waiting for the first record up to {@code patienceMs}; may be empty. */
  List<SourceRecord> take(long patienceMs) throws InterruptedException, StreamEndedException {
    lock.lockInterruptibly();
    try {
      long left = TimeUnit.MILLISECONDS.toNanos(patienceMs);
      while (entries.isEmpty() && failure == null && left > 0) {
        left = moved.awaitNanos(left);
      }
      if (entries.isEmpty() && failure != null) {
        throw new StreamEndedException(failure);
      }
      List<SourceRecord> taken = new ArrayList<>(Math.min(entries.size(), MAX_BATCH_RECORDS));
      long takenBytes = 0;
      while (!entries.isEmpty()
          && taken.size() < MAX_BATCH_RECORDS
          && (taken.isEmpty() || takenBytes + entries.peek().bytes() <= MAX_BATCH_BYTES)) {
        Entry entry = entries.poll();
        taken.add(entry.source());
        takenBytes += entry.bytes();
      }
      bytes -= takenBytes;
      moved.signalAll();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  void close() {
    lock.lock();
    try {
      closed = true;
      entries.clear();
      bytes = 0;
      moved.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The stream ended; the cause says why. */
  static final class StreamEndedException extends Exception {
    StreamEndedException(Throwable cause) {
      super(cause);
    }
  }
}
