package io.lakestream.distribution.config;

import static io.lakestream.tables.error.Checks.checkArgument;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Duration;
import java.util.Objects;

/**
 * Section {@code lake}: how changes reach Iceberg.
 *
 * @param commitInterval time between two commits of a table that changes; at least 100 ms
 * @param freshnessObjective without a cut for this long, a commit may end between transactions; not
 *     less than {@code commitInterval}
 * @param takeover a tiering job takes over from one with a greater epoch after the lake has stood
 *     still for this long with work to do; at least 1 s
 * @param parallelism tiering readers, 1 to 16
 */
public record LakeSettings(
    Duration commitInterval, Duration freshnessObjective, Duration takeover, int parallelism) {
  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(100);
  private static final int MAX_PARALLELISM = 16;

  public LakeSettings {
    checkArgument(
        commitInterval.compareTo(SHORTEST_INTERVAL) >= 0,
        "Invalid commit-interval: %s (must be >= 100ms)",
        DurationText.write(commitInterval));
    checkArgument(
        freshnessObjective.compareTo(commitInterval) >= 0,
        "Invalid freshness-objective: %s (must be >= commit-interval, %s)",
        DurationText.write(freshnessObjective),
        DurationText.write(commitInterval));
    checkArgument(
        takeover.compareTo(Duration.ofSeconds(1)) >= 0,
        "Invalid takeover: %s (must be >= 1s)",
        DurationText.write(takeover));
    checkArgument(
        parallelism >= 1 && parallelism <= MAX_PARALLELISM,
        "Invalid parallelism: %s (must be 1 to %s)",
        parallelism,
        MAX_PARALLELISM);
  }

  /** All defaults. */
  public static LakeSettings defaults() {
    return parse(null, null, null, null);
  }

  @JsonCreator
  static LakeSettings parse(
      @JsonProperty("commit-interval") Duration commitInterval,
      @JsonProperty("freshness-objective") Duration freshnessObjective,
      @JsonProperty("takeover") Duration takeover,
      @JsonProperty("parallelism") Integer parallelism) {
    Duration interval = Objects.requireNonNullElse(commitInterval, Duration.ofSeconds(1));
    Duration objective = Duration.ofSeconds(5);
    return new LakeSettings(
        interval,
        Objects.requireNonNullElse(
            freshnessObjective, interval.compareTo(objective) > 0 ? interval : objective),
        Objects.requireNonNullElse(takeover, Duration.ofSeconds(30)),
        Objects.requireNonNullElse(parallelism, 1));
  }
}
