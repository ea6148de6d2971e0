package io.lakestream.tiering;

import static io.lakestream.tables.error.Checks.checkArgument;

import io.lakestream.tables.lake.LakeConfig;
import java.io.Serializable;
import java.time.Duration;

/**
 * What the tiering job needs to know.
 *
 * @param bootstrapServers of the Fluss cluster: {@code host:port}, several separated by commas
 * @param lake where the lake is
 * @param commitInterval shortest time between two rounds of one table, 100 ms to 1 h: the freshness
 *     knob of the lake
 * @param freshnessObjective how long a table waits for a cut before a round ends at plain offsets,
 *     at least 100 ms
 * @param takeover how long a job that stands by for a table lets it rest, while there is something
 *     to tier, before it takes the table over; at least 100 ms. Longer than the longest round
 * @param indexDirectory local folder of the key indexes. Everything in it that a job of before left
 *     behind may go; an index is rebuilt from the lake
 */
public record TieringConfig(
    String bootstrapServers,
    LakeConfig lake,
    Duration commitInterval,
    Duration freshnessObjective,
    Duration takeover,
    String indexDirectory)
    implements Serializable {
  /** Commit interval where none is given. */
  public static final Duration DEFAULT_COMMIT_INTERVAL = Duration.ofSeconds(1);

  /** Freshness objective where none is given. */
  public static final Duration DEFAULT_FRESHNESS_OBJECTIVE = Duration.ofSeconds(5);

  /** Takeover time where none is given. */
  public static final Duration DEFAULT_TAKEOVER = Duration.ofSeconds(30);

  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST_INTERVAL = Duration.ofHours(1);

  public TieringConfig {
    checkArgument(!bootstrapServers.isBlank(), "Invalid bootstrap servers: empty");
    checkArgument(!indexDirectory.isBlank(), "Invalid index directory: empty");
    checkArgument(
        commitInterval.compareTo(SHORTEST) >= 0 && commitInterval.compareTo(LONGEST_INTERVAL) <= 0,
        "Invalid commit interval: %s ms (must be 100 ms to 1 h)",
        commitInterval.toMillis());
    checkArgument(
        freshnessObjective.compareTo(SHORTEST) >= 0,
        "Invalid freshness objective: %s ms (must be >= 100 ms)",
        freshnessObjective.toMillis());
    checkArgument(
        takeover.compareTo(SHORTEST) >= 0,
        "Invalid takeover time: %s ms (must be >= 100 ms)",
        takeover.toMillis());
  }

  /** A configuration with every duration at its default. */
  public static TieringConfig of(String bootstrapServers, LakeConfig lake, String indexDirectory) {
    return new TieringConfig(
        bootstrapServers,
        lake,
        DEFAULT_COMMIT_INTERVAL,
        DEFAULT_FRESHNESS_OBJECTIVE,
        DEFAULT_TAKEOVER,
        indexDirectory);
  }
}
