package io.lakestream.cdc.mariadb;

import static io.lakestream.tables.error.Checks.checkProtocol;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.util.HashMap;
import java.util.Map;

/**
 * A place in the binlog, as it is kept with what was acknowledged.
 *
 * @param file name of the binlog file
 * @param offset in it, in bytes; where the next event begins
 * @param gtid of the newest transaction before; empty where none was seen
 */
record BinlogPlace(String file, long offset, String gtid) {
  static final String FILE = "file";
  static final String OFFSET = "pos";
  static final String GTID = "gtid";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long LOW_BITS = 0xFFFF_FFFFL;

  /** Parses what {@link #toOffsets} made. */
  static BinlogPlace of(Map<String, ?> offsets) {
    return new BinlogPlace(
        (String) offsets.get(FILE),
        ((Number) offsets.get(OFFSET)).longValue(),
        offsets.get(GTID) instanceof String gtid ? gtid : "");
  }

  /**
   * Parses {@link #text}, or what Debezium made of {@link #toOffsets}. Throws PROTOCOL_VIOLATION.
   */
  static BinlogPlace parse(String json) {
    try {
      Map<String, Object> offsets = JSON.readValue(json, new TypeReference<>() {});
      checkProtocol(
          offsets.get(FILE) instanceof String && offsets.get(OFFSET) instanceof Number,
          "The kept offsets name no place in the binlog");
      return of(offsets);
    } catch (JsonProcessingException e) {
      throw new LakestreamException(
          e, ErrorCode.PROTOCOL_VIOLATION, "The kept offsets are no JSON of this version");
    }
  }

  static BinlogPlace of(SourcePosition position) {
    int colon = position.text().lastIndexOf(':');
    return new BinlogPlace(
        position.text().substring(0, colon),
        Long.parseLong(position.text().substring(colon + 1)),
        "");
  }

  SourcePosition position() {
    return SourcePosition.ofBinlog(file, offset);
  }

  Map<String, Object> toOffsets() {
    Map<String, Object> offsets = new HashMap<>();
    offsets.put(FILE, file);
    offsets.put(OFFSET, offset);
    if (!gtid.isEmpty()) {
      offsets.put(GTID, gtid);
    }
    return offsets;
  }

  /** As JSON. */
  String text() {
    try {
      return JSON.writeValueAsString(toOffsets());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  BinlogPlace rotate(String toFile, long toOffset) {
    return new BinlogPlace(toFile, toOffset, gtid);
  }

  BinlogPlace withGtid(String newest) {
    return new BinlogPlace(file, offset, newest);
  }

  /**
   * The place behind an event.
   *
   * @param next offset behind it as the event says: its lower 32 bits; 0 for an event that is not
   *     in the file
   */
  BinlogPlace moveTo(long next) {
    if (next == 0) {
      return this;
    }
    long candidate = (offset & ~LOW_BITS) | next;
    return new BinlogPlace(file, candidate < offset ? candidate + LOW_BITS + 1 : candidate, gtid);
  }
}
