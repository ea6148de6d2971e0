package io.lakestream.distribution.demo;

import static io.lakestream.tables.error.Checks.checkArgument;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs transactions on the TPC-H tables at a given rate in a thread of its own until stopped. */
public final class Workload implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Workload.class);
  private static final int MAX_RATE = 100_000;
  private static final Duration STOP_PATIENCE = Duration.ofSeconds(5);

  private final Connection connection;
  private final TransactionStream stream;
  private final long intervalNanos;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicLong committed = new AtomicLong();
  private final Thread thread;
  private volatile SQLException failure;

  private Workload(Connection connection, TransactionStream stream, int rate) {
    this.connection = connection;
    this.stream = stream;
    this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / rate;
    this.thread = new Thread(this::run, "demo-workload");
  }

  /**
   * Starts the workload.
   *
   * @param connection used by the workload alone, which closes it in the end
   * @param seed the same seed on the same rows gives the same transactions
   * @param rate transactions a second, 1 to 100,000. What the database cannot keep up with is not
   *     made up for later
   * @param mix weight of each operation
   */
  public static Workload start(
      Connection connection, long seed, int rate, Map<Operation, Integer> mix) {
    checkArgument(
        rate >= 1 && rate <= MAX_RATE, "Invalid --rate: %s (must be 1 to %s)", rate, MAX_RATE);
    try {
      Workload workload =
          new Workload(connection, new TransactionStream(connection, seed, mix), rate);
      workload.thread.start();
      return workload;
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private void run() {
    long due = System.nanoTime();
    try {
      while (!stopped.await(Math.max(0, due - System.nanoTime()), TimeUnit.NANOSECONDS)) {
        if (stream.next()) {
          committed.incrementAndGet();
        }
        long now = System.nanoTime();
        due = Math.max(due + intervalNanos, now - TimeUnit.SECONDS.toNanos(1));
      }
    } catch (SQLException e) {
      failure = e;
      LOG.warn("Workload ended: sqlState={}", e.getSQLState(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Number of transactions committed that changed something. */
  public long committed() {
    return committed.get();
  }

  /** What ended the workload before {@link #close}, if anything. */
  public Optional<LakestreamException> failure() {
    return Optional.ofNullable(failure).map(Workload::failed);
  }

  /** Ends the workload: nothing of it is committed after this returns. */
  @Override
  public void close() {
    stopped.countDown();
    try {
      thread.join(STOP_PATIENCE.toMillis());
      connection.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LakestreamException(
          e, ErrorCode.INTERNAL, "Cannot end the workload: interrupted while it committed");
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static LakestreamException failed(SQLException e) {
    return new LakestreamException(
        e,
        ErrorCode.SOURCE_UNREACHABLE,
        "The workload ended: PostgreSQL says: %s",
        ErrorText.of(e));
  }
}
