package io.lakestream.cdc;

import io.lakestream.cdc.decode.KeyJson;
import io.lakestream.cdc.source.Source;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.cdc.write.RowReading;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.system.CaptureRequests;
import io.lakestream.tables.system.CaptureRequests.Request;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what users ask of a session beside its stream, on a thread of its own: to read rows
 * in quarantine again, or to forget them.
 */
final class RequestDesk implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RequestDesk.class);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** The session that writes. Any thread. */
  interface Rows {
    List<String> quarantined(String display);

    void drop(String display, List<String> keys);

    /** Remembers what the stream changes from now on; empty where the table is not captured. */
    Optional<SourceTable> beginReading(String display);

    RowReading write(SourceTable table, String key, TableCopy.Chunk row);

    void endReading(String display);
  }

  private final Source source;
  private final Rows rows;
  private final CaptureRequests requests;
  private final ScheduledExecutorService thread;

  private RequestDesk(Source source, Rows rows, CaptureRequests requests) {
    this.source = source;
    this.rows = rows;
    this.requests = requests;
    this.thread =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread created = new Thread(task, "lakestream-requests-" + source.config().name());
              created.setDaemon(true);
              return created;
            });
  }

  static RequestDesk open(Source source, FlussTables tables, Rows rows) {
    RequestDesk desk = new RequestDesk(source, rows, CaptureRequests.open(tables));
    var unused =
        desk.thread.scheduleWithFixedDelay(
            desk::look, 0, LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
    return desk;
  }

  // An exception would end the schedule; a request that fails stays and is tried again.
  private void look() {
    try {
      for (Request request : requests.waiting(source.config().name())) {
        requests.answer(request, carryOut(request));
      }
    } catch (RuntimeException e) {
      LOG.warn(
          "Cannot carry out requests: source={} reason={}", source.config().name(), e.getMessage());
    }
  }

  private String carryOut(Request request) {
    List<String> quarantined = rows.quarantined(request.table());
    List<String> keys =
        request.key().isEmpty()
            ? quarantined
            : quarantined.stream().filter(request.key()::equals).toList();
    LOG.info(
        "Carries out a request: source={} table={} kind={} rows={}",
        request.source(),
        request.table(),
        request.kind(),
        keys.size());
    return switch (request.kind()) {
      case DROP -> drop(request.table(), keys);
      case RETRY -> retry(request.table(), keys);
    };
  }

  private String drop(String table, List<String> keys) {
    rows.drop(table, keys);
    return "dropped=" + keys.size();
  }

  private String retry(String display, List<String> keys) {
    Optional<SourceTable> table = rows.beginReading(display);
    if (table.isEmpty()) {
      return "failed: the table is paused or not captured";
    }
    Map<RowReading, Integer> counts = new EnumMap<>(RowReading.class);
    int failed = 0;
    try (TableCopy copy = source.copy(table.get())) {
      for (String key : keys) {
        try {
          TableCopy.Chunk row = copy.row(KeyJson.texts(key));
          counts.merge(rows.write(table.get(), key, row), 1, Integer::sum);
        } catch (LakestreamException e) {
          LOG.warn("Cannot read a row again: table={} reason={}", display, e.code());
          failed++;
        }
      }
    } finally {
      rows.endReading(display);
    }
    return "written=%d gone=%d changed-meanwhile=%d still-quarantined=%d"
        .formatted(
            counts.getOrDefault(RowReading.WRITTEN, 0),
            counts.getOrDefault(RowReading.GONE, 0),
            counts.getOrDefault(RowReading.OVERTAKEN, 0),
            counts.getOrDefault(RowReading.QUARANTINED, 0) + failed);
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(2, TimeUnit.SECONDS)) {
        LOG.warn("A request did not stop in time: source={}", source.config().name());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    requests.close();
  }
}
