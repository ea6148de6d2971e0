package io.lakestream.tables.lake;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * How far one lake snapshot reaches into the log of each bucket, kept in the snapshot's own
 * summary: the only record of tiering's progress, and what a union read starts its stream tail
 * from.
 *
 * @param tableId Fluss table ID that the offsets belong to
 * @param endOffsets Fluss log offset per bucket, exclusive: the snapshot holds every change below
 *     it and none from it on. A bucket that is not named: 0. Counted in log entries, which can
 *     outnumber rows
 * @param parentSnapshotId Iceberg snapshot that the round extended; empty for the first
 * @param epoch of the tiering job that wrote it; grows with every job that takes over
 * @param roundId unique name of the round: how a commit with an unknown outcome is recognised
 * @param reached the cut that the round ended at; empty where it ended at plain offsets
 */
public record TieredOffsets(
    long tableId,
    Map<Integer, Long> endOffsets,
    OptionalLong parentSnapshotId,
    long epoch,
    String roundId,
    Optional<ReachedCut> reached) {
  /**
   * A cut of the source that a lake snapshot ends at.
   *
   * @param sequence of the cut
   * @param position of the last source transaction inside
   * @param sourceTime commit time of that transaction
   */
  public record ReachedCut(long sequence, SourcePosition position, Instant sourceTime) {}

  static final String OFFSETS = "lakestream.offsets";

  private static final String TABLE_ID = "lakestream.table-id";
  private static final String PARENT = "lakestream.parent-snapshot-id";
  private static final String EPOCH = "lakestream.epoch";
  private static final String ROUND = "lakestream.round-id";
  private static final String CUT = "lakestream.cut";
  private static final String POSITION = "lakestream.source-position";
  private static final String POSITION_ORDINAL = "lakestream.source-position-ordinal";
  private static final String SOURCE_TIME = "lakestream.source-time";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  public TieredOffsets {
    endOffsets = Map.copyOf(endOffsets);
  }

  /** End offset of a bucket. */
  public long endOffset(int bucket) {
    return endOffsets.getOrDefault(bucket, 0L);
  }

  /** The entries of a snapshot summary that stand for this. */
  public Map<String, String> toSummary() {
    Map<String, String> summary = new LinkedHashMap<>();
    summary.put(TABLE_ID, Long.toString(tableId));
    summary.put(OFFSETS, write(endOffsets));
    parentSnapshotId.ifPresent(id -> summary.put(PARENT, Long.toString(id)));
    summary.put(EPOCH, Long.toString(epoch));
    summary.put(ROUND, roundId);
    reached.ifPresent(
        cut -> {
          summary.put(CUT, Long.toString(cut.sequence()));
          summary.put(POSITION, cut.position().text());
          summary.put(POSITION_ORDINAL, Long.toUnsignedString(cut.position().ordinal()));
          summary.put(SOURCE_TIME, cut.sourceTime().toString());
        });
    return summary;
  }

  /** Reads a summary; empty where another engine made the snapshot. */
  public static Optional<TieredOffsets> fromSummary(Map<String, String> summary) {
    if (!summary.containsKey(OFFSETS)) {
      return Optional.empty();
    }
    String parent = summary.get(PARENT);
    return Optional.of(
        new TieredOffsets(
            Long.parseLong(summary.get(TABLE_ID)),
            read(summary.get(OFFSETS)),
            parent == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(parent)),
            Long.parseLong(summary.get(EPOCH)),
            summary.get(ROUND),
            reachedCut(summary)));
  }

  private static Optional<ReachedCut> reachedCut(Map<String, String> summary) {
    if (!summary.containsKey(CUT)) {
      return Optional.empty();
    }
    return Optional.of(
        new ReachedCut(
            Long.parseLong(summary.get(CUT)),
            new SourcePosition(
                Long.parseUnsignedLong(summary.get(POSITION_ORDINAL)), summary.get(POSITION)),
            Instant.parse(summary.get(SOURCE_TIME))));
  }

  private static String write(Map<Integer, Long> offsets) {
    try {
      return MAPPER.writeValueAsString(new TreeMap<>(offsets));
    } catch (JsonProcessingException e) {
      throw new LakestreamException(e, ErrorCode.INTERNAL, "Cannot write offsets as JSON");
    }
  }

  private static Map<Integer, Long> read(String json) {
    try {
      return MAPPER.readValue(json, new TypeReference<Map<Integer, Long>>() {});
    } catch (JsonProcessingException e) {
      throw new LakestreamException(
          e, ErrorCode.PROTOCOL_VIOLATION, "Cannot read offsets of a lake snapshot: %s", json);
    }
  }
}
