package io.lakestream.cdc;

import io.lakestream.cdc.write.QuarantineLimits;

/**
 * How an engine runs, apart from what it captures.
 *
 * @param quarantineLimits how many rows of a table may be in quarantine
 */
public record CaptureOptions(QuarantineLimits quarantineLimits) {
  /** What holds where nothing is configured. */
  public static final CaptureOptions DEFAULT = new CaptureOptions(QuarantineLimits.DEFAULT);
}
