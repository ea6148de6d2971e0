package io.lakestream.tables.ddl;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.fluss.metadata.TableBucket;

/** A cut's part about one table, as the JSON text kept in a Fluss custom property. */
final class CutJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private record Json(
      String source,
      long sequence,
      String position,
      long ordinal,
      String sourceTime,
      Map<Integer, Long> endOffsets) {}

  private CutJson() {}

  static String write(Cut cut, long tableId) {
    Map<Integer, Long> endOffsets = new TreeMap<>();
    cut.endOffsets()
        .forEach(
            (bucket, offset) -> {
              if (bucket.getTableId() == tableId) {
                endOffsets.put(bucket.getBucket(), offset);
              }
            });
    try {
      return MAPPER.writeValueAsString(
          new Json(
              cut.source(),
              cut.sequence(),
              cut.position().text(),
              cut.position().ordinal(),
              cut.sourceTime().toString(),
              endOffsets));
    } catch (JsonProcessingException e) {
      throw new LakestreamException(e, ErrorCode.INTERNAL, "Cannot write a cut as JSON");
    }
  }

  static Cut read(String text, long tableId) {
    try {
      Json json = MAPPER.readValue(text, Json.class);
      Map<TableBucket, Long> endOffsets = new HashMap<>();
      json.endOffsets()
          .forEach((bucket, offset) -> endOffsets.put(new TableBucket(tableId, bucket), offset));
      return new Cut(
          json.source(),
          json.sequence(),
          new SourcePosition(json.ordinal(), json.position()),
          Instant.parse(json.sourceTime()),
          endOffsets);
    } catch (JsonProcessingException e) {
      throw new LakestreamException(
          e, ErrorCode.PROTOCOL_VIOLATION, "Cannot read the last cut of a table: %s", text);
    }
  }
}
