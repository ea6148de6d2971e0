package io.lakestream.distribution.health;

import io.lakestream.cdc.CaptureStatus;
import io.lakestream.tables.system.StateBoard.SourceState;
import io.lakestream.tables.system.StateBoard.TableState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Whether what capture writes can be relied on now.
 *
 * @param ready true where every source streams and no table is stale
 * @param lines one per source and per table that somebody should look at
 */
record Readiness(boolean ready, List<String> lines) {
  Readiness {
    lines = List.copyOf(lines);
  }

  static Readiness of(Collection<CaptureStatus> statuses) {
    List<String> lines = new ArrayList<>();
    boolean ready = !statuses.isEmpty();
    if (statuses.isEmpty()) {
      lines.add("starting");
    }
    for (CaptureStatus status : statuses) {
      ready &= status.state() == SourceState.STREAMING;
      lines.add(line("source " + status.source(), status.state().name(), status.reason()));
      for (CaptureStatus.Table table : status.tables()) {
        ready &= table.state() != TableState.STALE;
        if (table.state() != TableState.LIVE) {
          lines.add(
              line(
                  "table " + status.source() + "/" + table.name(),
                  table.state().name(),
                  table.reason()));
        }
      }
    }
    return new Readiness(ready, lines);
  }

  private static String line(String what, String state, String reason) {
    return what + " " + state + (reason.isEmpty() ? "" : ": " + reason);
  }
}
