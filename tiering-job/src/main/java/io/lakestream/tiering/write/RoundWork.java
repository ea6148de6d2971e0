package io.lakestream.tiering.write;

import static io.lakestream.tables.error.Checks.checkArgument;

import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * One reader's share of a round: some buckets of one table, each with the range to read.
 *
 * @param roundId unique name of the round
 * @param tableId Fluss table ID
 * @param log name of the table in Fluss, in its source's database
 * @param definition the table's definition as JSON
 * @param base lake snapshot that the round extends, or {@link #NO_SNAPSHOT}
 * @param buckets what to read of each bucket, at least one
 */
public record RoundWork(
    String roundId,
    long tableId,
    String log,
    String definition,
    long base,
    Map<Integer, BucketWork> buckets)
    implements Serializable {
  /** The table has no lake snapshot yet. */
  public static final long NO_SNAPSHOT = -1;

  /**
   * What to read of a bucket.
   *
   * @param start first log offset inside
   * @param stop first log offset behind
   * @param version of the bucket in the base snapshot: changes whenever the bucket's files do
   */
  public record BucketWork(long start, long stop, String version) implements Serializable {}

  public RoundWork {
    buckets = new TreeMap<>(buckets);
    checkArgument(!buckets.isEmpty(), "Round %s has no buckets", roundId);
  }
}
