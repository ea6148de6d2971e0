package io.lakestream.distribution.cli;

import io.lakestream.cdc.CaptureStatus;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Tells what changed about sources since it was last asked. For one thread. */
public final class SourceNews {
  private final Map<String, String> last = new HashMap<>();

  /**
   * The state of a source and the reason, in one line; empty where both are as they were. The
   * reason is there for as long as capture has not written anything since its last failure.
   */
  public Optional<String> of(CaptureStatus status) {
    String now = text(status);
    return now.equals(last.put(status.source(), now))
        ? Optional.empty()
        : Optional.of("Source " + status.source() + " is " + now);
  }

  /** State and reason, as {@code status} names them. */
  public static String text(CaptureStatus status) {
    return status.reason().isEmpty()
        ? status.state().name()
        : status.state() + ": " + status.reason();
  }
}
