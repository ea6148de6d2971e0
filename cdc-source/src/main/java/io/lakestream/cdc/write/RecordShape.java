package io.lakestream.cdc.write;

import io.lakestream.cdc.decode.RowDecoder;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;

/**
 * How to read Debezium's records of one schema, resolved once.
 *
 * @param capture of the record's table, or null where its records are not for us
 * @param decoder of its rows, or null where the table is paused
 */
record RecordShape(
    TableCapture capture, RowDecoder decoder, Field operation, Field before, Field after) {
  static final RecordShape IGNORED = new RecordShape(null, null, null, null, null);

  static RecordShape of(TableCapture capture, RowDecoder decoder, Schema envelope) {
    return new RecordShape(
        capture, decoder, envelope.field("op"), envelope.field("before"), envelope.field("after"));
  }
}
