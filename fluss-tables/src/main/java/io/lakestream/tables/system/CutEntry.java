package io.lakestream.tables.system;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.types.DataField;
import org.apache.fluss.types.DataTypes;

/**
 * One row of the cut log.
 *
 * @param full true where {@code endOffsets} names every bucket, false where only those that moved
 */
record CutEntry(
    long sequence,
    SourcePosition position,
    Instant sourceTime,
    boolean full,
    Map<TableBucket, Long> endOffsets) {
  static final List<DataField> FIELDS =
      List.of(
          new DataField("sequence", DataTypes.BIGINT()),
          new DataField("position", DataTypes.STRING()),
          new DataField("position_ordinal", DataTypes.BIGINT()),
          new DataField("source_time_us", DataTypes.BIGINT()),
          new DataField("full", DataTypes.BOOLEAN()),
          new DataField("end_offsets", DataTypes.STRING()));

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final TypeReference<Map<Long, Map<Integer, Long>>> OFFSETS =
      new TypeReference<>() {};

  static GenericRow row(Cut cut, boolean full, Map<TableBucket, Long> endOffsets) {
    return GenericRow.of(
        cut.sequence(),
        BinaryString.fromString(cut.position().text()),
        cut.position().ordinal(),
        ChronoUnit.MICROS.between(Instant.EPOCH, cut.sourceTime()),
        full,
        BinaryString.fromString(write(endOffsets)));
  }

  static CutEntry of(InternalRow row) {
    return new CutEntry(
        row.getLong(0),
        new SourcePosition(row.getLong(2), row.getString(1).toString()),
        Instant.EPOCH.plus(row.getLong(3), ChronoUnit.MICROS),
        row.getBoolean(4),
        read(row.getString(5).toString()));
  }

  private static String write(Map<TableBucket, Long> endOffsets) {
    Map<Long, Map<Integer, Long>> byTable = new TreeMap<>();
    endOffsets.forEach(
        (bucket, offset) ->
            byTable
                .computeIfAbsent(bucket.getTableId(), id -> new TreeMap<>())
                .put(bucket.getBucket(), offset));
    try {
      return MAPPER.writeValueAsString(byTable);
    } catch (JsonProcessingException e) {
      throw new LakestreamException(e, ErrorCode.INTERNAL, "Cannot write end offsets as JSON");
    }
  }

  private static Map<TableBucket, Long> read(String json) {
    try {
      Map<TableBucket, Long> endOffsets = new HashMap<>();
      MAPPER
          .readValue(json, OFFSETS)
          .forEach(
              (tableId, buckets) ->
                  buckets.forEach(
                      (bucket, offset) ->
                          endOffsets.put(new TableBucket(tableId, bucket), offset)));
      return endOffsets;
    } catch (JsonProcessingException e) {
      throw new LakestreamException(
          e, ErrorCode.PROTOCOL_VIOLATION, "Cannot read end offsets of a cut: %s", json);
    }
  }
}
