package io.lakestream.cdc.mariadb;

import io.lakestream.tables.change.SourcePosition;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;

/** Makes the stream's records, in the form that Debezium gives them. */
final class StreamRecords {
  /** Offset of a change, and of the end of a transaction: the ordinal of its position. */
  static final String ORDINAL = "ordinal";

  static final String TIME_MS = "ts_ms";

  private static final Schema END =
      SchemaBuilder.struct()
          .field("status", Schema.STRING_SCHEMA)
          .field(TIME_MS, Schema.INT64_SCHEMA)
          .build();
  private static final String NEW_KEY = "__debezium.newkey";
  private static final ConnectHeaders MOVES_ON =
      (ConnectHeaders) new ConnectHeaders().addBoolean(NEW_KEY, true);

  private final Map<String, String> partition;
  private final String changes;
  private final String transactions;
  // All rows of an event share it.
  private BinlogPlace place;
  private Map<String, Object> offsets = Map.of();

  StreamRecords(String source) {
    this.partition = partition(source);
    this.changes = source;
    this.transactions = transactionTopic(source);
  }

  static Map<String, String> partition(String source) {
    return Map.of("source", source);
  }

  static String transactionTopic(String source) {
    return source + ".transaction";
  }

  SourceRecord end(BinlogPlace at, long timeMs) {
    Struct end = new Struct(END).put("status", "END").put(TIME_MS, timeMs);
    return new SourceRecord(partition, at.toOffsets(), transactions, END, end);
  }

  SourceRecord change(StreamTable table, Struct change, BinlogPlace at) {
    return new SourceRecord(partition, offsets(at), changes, table.schema(), change);
  }

  /** The first half of a change of key: the row goes on under another one. */
  SourceRecord moved(StreamTable table, Struct change, BinlogPlace at) {
    return new SourceRecord(
        partition, offsets(at), changes, null, null, null, table.schema(), change, null, MOVES_ON);
  }

  SourceRecord problem(StreamTable table, BinlogPlace at) {
    return change(table, table.change("u", null, null), at);
  }

  SourceRecord truncate(CapturedColumns table, BinlogPlace at) {
    StreamTable shape = StreamTable.truncated(table);
    return change(shape, shape.change("t", null, null), at);
  }

  private Map<String, Object> offsets(BinlogPlace at) {
    if (!at.equals(place)) {
      place = at;
      SourcePosition position = at.position();
      offsets =
          Map.of(
              BinlogPlace.FILE,
              at.file(),
              BinlogPlace.OFFSET,
              at.offset(),
              ORDINAL,
              position.ordinal());
    }
    return offsets;
  }
}
