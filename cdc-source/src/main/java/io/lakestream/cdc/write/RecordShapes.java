package io.lakestream.cdc.write;

import io.lakestream.cdc.decode.RowDecoder;
import io.lakestream.cdc.decode.SchemaChangedException;
import io.lakestream.cdc.source.SchemaChanges;
import io.lakestream.cdc.source.Source;
import io.lakestream.cdc.source.SourceTable;
import java.util.IdentityHashMap;
import java.util.Optional;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How the records of each schema are read. A schema that was not there before is where a table may
 * have changed, and then its table is copied anew or paused before any row of that schema is read.
 * For one thread.
 */
final class RecordShapes {
  private static final Logger LOG = LoggerFactory.getLogger(RecordShapes.class);
  // A table whose records do not fit the catalog that stays the same is beyond what a copy mends.
  private static final int ATTEMPTS = 3;

  private final Source source;
  private final SchemaChanges choices;
  private final CaptureTables tables;
  private final CaptureListener listener;
  private final IdentityHashMap<Schema, RecordShape> shapes = new IdentityHashMap<>();

  RecordShapes(Source source, CaptureTables tables, CaptureListener listener) {
    this.source = source;
    this.choices = source.config().schemaChanges();
    this.tables = tables;
    this.listener = listener;
  }

  /**
   * Finds how to read a change.
   *
   * @return {@link RecordShape#IGNORED} where it is not to be applied
   * @throws TableChangedException where the session has to end, so that the next one copies the
   *     table anew
   */
  RecordShape of(SourceRecord change, Struct envelope) throws TableChangedException {
    RecordShape shape = shapes.get(change.valueSchema());
    if (shape == null) {
      Optional<TableCapture> capture = capture(envelope);
      // Whatever shape such a change has, the copy shows what came of it.
      if (capture.isPresent() && leavesOut(capture.get(), change)) {
        return RecordShape.IGNORED;
      }
      shape = capture.isPresent() ? resolve(capture.get(), change, envelope) : RecordShape.IGNORED;
      shapes.put(change.valueSchema(), shape);
    }
    boolean applied =
        shape.decoder() != null
            && !shape.capture().isPaused()
            && !leavesOut(shape.capture(), change);
    return applied ? shape : RecordShape.IGNORED;
  }

  private boolean leavesOut(TableCapture capture, SourceRecord change) {
    return capture.leavesOut() && capture.leavesOut(source.changeMark(change));
  }

  private Optional<TableCapture> capture(Struct envelope) {
    Schema schema = envelope.schema();
    if (schema.field("source") == null || schema.field("after") == null) {
      return Optional.empty(); // a logical message
    }
    Struct origin = envelope.getStruct("source");
    return tables
        .find(origin.getString("schema"), origin.getString("table"))
        .filter(capture -> !capture.isPaused());
  }

  private RecordShape resolve(TableCapture capture, SourceRecord change, Struct envelope)
      throws TableChangedException {
    SourceTable table = capture.table();
    try {
      RowDecoder decoder =
          RowDecoder.bind(
              table,
              envelope.schema().field("after").schema(),
              column -> capture.isFromBefore(column, source.changeMark(change)));
      if (!tables.isUnchanged(table)) {
        throw new SchemaChangedException("its columns or its key changed, or it was made anew");
      }
      return RecordShape.of(capture, decoder, envelope.schema());
    } catch (SchemaChangedException e) {
      boolean hopeless = tables.attempts(capture) >= ATTEMPTS && tables.isUnchanged(table);
      if (e.isMendedByCopy() && !hopeless && choices.areFollowed(table.display())) {
        LOG.info("Table changed: table={} change={}", table.definition().name(), e.getMessage());
        tables.change(table.display(), e.getMessage());
        throw new TableChangedException(table.display(), e.getMessage());
      }
      pause(capture, e);
      return RecordShape.IGNORED;
    }
  }

  private void pause(TableCapture capture, SchemaChangedException e) {
    String display = capture.table().display();
    String reason = PauseReasons.withWayOut(source.config().name(), display, e.getMessage());
    tables.pause(capture, reason, e.isMendedByCopy() ? e.getMessage() : "");
    listener.paused(display, reason);
  }
}
