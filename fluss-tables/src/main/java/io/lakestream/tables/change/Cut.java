package io.lakestream.tables.change;

import java.time.Instant;
import java.util.Map;
import org.apache.fluss.metadata.TableBucket;

/**
 * The Fluss end offsets of every whole table of a source at one source transaction boundary: rows
 * below them are whole transactions, all of those up to {@code position} and none after it.
 *
 * @param source name of the source
 * @param sequence 0, 1, 2, … in the order of positions
 * @param position of the last transaction inside
 * @param sourceTime commit time of that transaction by the source's clock, in microseconds
 * @param endOffsets per bucket, exclusive. A table of which no bucket is named is not whole at this
 *     cut: its copy was still running. A bucket that is not named of a table that is had no
 *     changes: 0
 */
public record Cut(
    String source,
    long sequence,
    SourcePosition position,
    Instant sourceTime,
    Map<TableBucket, Long> endOffsets) {
  public Cut {
    endOffsets = Map.copyOf(endOffsets);
  }

  /** True where the table is whole at this cut. */
  public boolean covers(long tableId) {
    return endOffsets.keySet().stream().anyMatch(bucket -> bucket.getTableId() == tableId);
  }

  /** End offset of a bucket at this cut. */
  public long endOffset(TableBucket bucket) {
    return endOffsets.getOrDefault(bucket, 0L);
  }
}
