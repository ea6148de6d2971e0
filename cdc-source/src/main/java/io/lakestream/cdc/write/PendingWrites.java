package io.lakestream.cdc.write;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.fluss.client.table.writer.DeleteResult;
import org.apache.fluss.client.table.writer.UpsertResult;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.metadata.TableBucket;

/**
 * The writes that were handed to Fluss and are not known to be durable yet, and the end offsets
 * that the durable ones reached. For one thread.
 */
final class PendingWrites {
  private static final long PATIENCE_SECONDS = 60;

  private final List<CompletableFuture<UpsertResult>> upserts = new ArrayList<>();
  private final List<CompletableFuture<DeleteResult>> deletes = new ArrayList<>();
  private Map<TableBucket, Long> endOffsets = new HashMap<>();
  private UpsertWriter anyWriter;
  private long flushes;

  void addUpsert(UpsertWriter writer, CompletableFuture<UpsertResult> upsert) {
    anyWriter = writer;
    upserts.add(upsert);
  }

  void addDelete(UpsertWriter writer, CompletableFuture<DeleteResult> delete) {
    anyWriter = writer;
    deletes.add(delete);
  }

  /** How often {@link #flush} has run: writes of one count may share a batch. */
  long flushes() {
    return flushes;
  }

  /**
   * Waits until every write is durable.
   *
   * @return false where there was nothing to wait for
   * @throws LakestreamException FLUSS_FAILED where one is not; nothing may be acknowledged then
   */
  boolean flush() {
    flushes++;
    if (upserts.isEmpty() && deletes.isEmpty()) {
      return false;
    }
    // All writers of a connection share their batches, so that any of them flushes all.
    anyWriter.flush();
    for (CompletableFuture<UpsertResult> upsert : upserts) {
      UpsertResult result = await(upsert);
      reach(result.getBucket(), result.getLogEndOffset());
    }
    for (CompletableFuture<DeleteResult> delete : deletes) {
      DeleteResult result = await(delete);
      reach(result.getBucket(), result.getLogEndOffset());
    }
    upserts.clear();
    deletes.clear();
    return true;
  }

  /** End offsets that the writes since the last call reached, per bucket. */
  Map<TableBucket, Long> takeEndOffsets() {
    Map<TableBucket, Long> taken = endOffsets;
    endOffsets = new HashMap<>();
    return taken;
  }

  private void reach(TableBucket bucket, long endOffset) {
    if (bucket == null || endOffset < 0) {
      throw new LakestreamException(
          ErrorCode.PROTOCOL_VIOLATION, "Fluss acknowledged a write without its end offset");
    }
    endOffsets.merge(bucket, endOffset, Math::max);
  }

  private static <T> T await(CompletableFuture<T> write) {
    try {
      return write.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new LakestreamException(
          e.getCause(),
          ErrorCode.FLUSS_FAILED,
          "Cannot write changes into Fluss: %s",
          e.getCause().getMessage());
    } catch (TimeoutException e) {
      throw new LakestreamException(
          e,
          ErrorCode.FLUSS_FAILED,
          "Cannot write changes into Fluss: no answer within %s s",
          PATIENCE_SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LakestreamException(
          e, ErrorCode.FLUSS_FAILED, "Cannot write changes into Fluss: interrupted");
    }
  }
}
