package io.lakestream.cdc;

import io.lakestream.cdc.write.QuarantineLimits;
import java.util.function.LongConsumer;

/**
 * How an engine runs, apart from what it captures.
 *
 * @param quarantineLimits how many rows of a table may be in quarantine
 * @param flushNanos hears how long each flush took, in nanoseconds; any thread
 */
public record CaptureOptions(QuarantineLimits quarantineLimits, LongConsumer flushNanos) {
  /** What holds where nothing is configured. */
  public static final CaptureOptions DEFAULT = new CaptureOptions(QuarantineLimits.DEFAULT);

  /** The same without anybody who hears of flushes. */
  public CaptureOptions(QuarantineLimits quarantineLimits) {
    this(quarantineLimits, nanos -> {});
  }
}
