package io.lakestream.cdc.position;

import io.lakestream.cdc.decode.CaptureContext;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.connect.runtime.WorkerConfig;
import org.apache.kafka.connect.storage.OffsetBackingStore;
import org.apache.kafka.connect.util.Callback;

/** Debezium's offsets, kept by {@link CaptureProgress}. Instantiated by Debezium. */
public final class FlussOffsetStore implements OffsetBackingStore {
  private CaptureProgress progress;

  @Override
  public void configure(WorkerConfig config) {
    progress = (CaptureProgress) CaptureContext.of(config.originals()).offsets();
  }

  @Override
  public void start() {
    // The store is open as long as the capture session.
  }

  @Override
  public void stop() {
    // The capture session closes it.
  }

  @Override
  public Future<Map<ByteBuffer, ByteBuffer>> get(Collection<ByteBuffer> keys) {
    Map<ByteBuffer, ByteBuffer> values = new HashMap<>();
    for (ByteBuffer key : keys) {
      progress.findOffsets(key).ifPresent(value -> values.put(key, value));
    }
    return CompletableFuture.completedFuture(values);
  }

  @Override
  public Future<Void> set(Map<ByteBuffer, ByteBuffer> values, Callback<Void> callback) {
    try {
      values.forEach(progress::putOffsets);
    } catch (RuntimeException e) {
      // Debezium then does not acknowledge the source.
      callback.onCompletion(e, null);
      return CompletableFuture.failedFuture(e);
    }
    callback.onCompletion(null, null);
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public Set<Map<String, Object>> connectorPartitions(String connector) {
    return Set.of();
  }
}
