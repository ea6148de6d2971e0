package io.lakestream.cdc;

import static org.awaitility.Awaitility.await;

import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.system.CaptureRequests;
import io.lakestream.tables.system.CaptureRequests.Kind;
import io.lakestream.tables.system.CaptureRequests.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** Requests to a running engine. */
final class Asked {
  private Asked() {}

  /** Asks, and waits for the answer. */
  static String answer(String source, Kind kind, String table, String key) {
    Request request = new Request(source, UUID.randomUUID().toString(), kind, table, key, "");
    try (CaptureRequests requests = CaptureRequests.open(SharedFluss.tables())) {
      requests.put(request);
      String answer =
          await()
              .atMost(Duration.ofSeconds(20))
              .until(() -> requests.answer(request), Optional::isPresent)
              .orElseThrow();
      requests.remove(request);
      return answer;
    }
  }
}
