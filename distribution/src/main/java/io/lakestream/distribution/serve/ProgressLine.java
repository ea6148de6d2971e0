package io.lakestream.distribution.serve;

import io.lakestream.cdc.CaptureStatus;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.system.StateBoard.TableState;
import java.util.OptionalLong;

/** One line that says how far capture of a source is. */
final class ProgressLine {
  private ProgressLine() {}

  static String of(CaptureStatus status) {
    long applied = status.tables().stream().mapToLong(table -> table.changes().applied()).sum();
    long quarantined = status.tables().stream().mapToLong(CaptureStatus.Table::quarantined).sum();
    long copying =
        status.tables().stream().filter(table -> table.state() == TableState.SNAPSHOT).count();
    return "progress source=%s state=%s position=%s lag-ms=%s lag-bytes=%s rows=%d tables=%d copying=%d quarantined=%d"
        .formatted(
            status.source(),
            status.state(),
            status.position().map(SourcePosition::text).orElse("none"),
            number(status.lag().ms()),
            number(status.lag().bytes()),
            applied,
            status.tables().size(),
            copying,
            quarantined);
  }

  private static String number(OptionalLong value) {
    return value.isPresent() ? String.valueOf(value.getAsLong()) : "none";
  }
}
