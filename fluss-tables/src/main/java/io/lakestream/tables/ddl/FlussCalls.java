package io.lakestream.tables.ddl;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.fluss.exception.FlussRuntimeException;

/**
 * Waits for Fluss's futures with a limit, so that a server that is gone is an error, not a hang.
 */
public final class FlussCalls {
  /** Longer than the pause of a tablet server restart, shorter than a user's patience. */
  public static final Duration TIMEOUT = Duration.ofSeconds(60);

  private FlussCalls() {}

  /**
   * Waits for {@code future}.
   *
   * @param what completes "Cannot …" in the error message
   * @throws LakestreamException FLUSS_FAILED with Fluss's error as cause, or after {@link #TIMEOUT}
   */
  public static <T> T await(CompletableFuture<T> future, String what) {
    try {
      return future.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new LakestreamException(
          e.getCause(), ErrorCode.FLUSS_FAILED, "Cannot %s: %s", what, ErrorText.of(e.getCause()));
    } catch (TimeoutException e) {
      throw new LakestreamException(
          e,
          ErrorCode.FLUSS_FAILED,
          "Cannot %s: Fluss did not answer within %s s",
          what,
          TIMEOUT.toSeconds());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LakestreamException(e, ErrorCode.FLUSS_FAILED, "Cannot %s: interrupted", what);
    }
  }

  /**
   * Makes a call that asks the leaders of buckets, and waits for it. Such calls throw at once, and
   * not through the future, where a bucket has no leader.
   *
   * @throws LakestreamException FLUSS_FAILED as {@link #await}
   */
  public static <T> T call(Supplier<CompletableFuture<T>> call, String what) {
    CompletableFuture<T> future;
    try {
      future = call.get();
    } catch (FlussRuntimeException e) {
      throw new LakestreamException(
          e, ErrorCode.FLUSS_FAILED, "Cannot %s: %s", what, ErrorText.of(e));
    }
    return await(future, what);
  }

  /** Closes a Fluss resource, whose {@code close} may throw anything. */
  public static void close(AutoCloseable resource, String what) {
    try {
      resource.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LakestreamException(
          e, ErrorCode.FLUSS_FAILED, "Cannot close %s: interrupted", what);
    } catch (Exception e) {
      throw new LakestreamException(
          e, ErrorCode.FLUSS_FAILED, "Cannot close %s: %s", what, ErrorText.of(e));
    }
  }
}
