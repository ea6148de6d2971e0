package io.lakestream.cdc.write;

import io.lakestream.cdc.decode.UnconvertibleValueException;
import io.lakestream.cdc.source.Source;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.system.CutLog;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.fluss.row.GenericRow;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes batches of Debezium's records into Fluss and records the cuts between them.
 *
 * <p>The order is: decode, write, flush, cut; the caller acknowledges the source after that. For
 * one thread.
 */
public final class BatchWriter {
  private static final Logger LOG = LoggerFactory.getLogger(BatchWriter.class);
  private static final String NEW_KEY = "__debezium.newkey";

  /** The tables and stores that a batch writer works on. */
  public record Stores(
      CutLog cuts,
      QuarantineLedger quarantine,
      QuarantineLimits limits,
      CaptureTables tables,
      CaptureListener listener) {}

  private final Source source;
  private final String name;
  private final String transactionTopic;
  private final Stores stores;
  private final RecordShapes shapes;
  private final CutWriter cuts;
  private final QuarantineDoor quarantine;
  private final Set<Long> marks = new TreeSet<>();
  private volatile boolean killed;

  /**
   * Prepares to write.
   *
   * @param barrier where present, changes up to this position may be applied a second time, so no
   *     cut is written before an end of a transaction at or behind it
   */
  public BatchWriter(Source source, Stores stores, Optional<SourcePosition> barrier) {
    this.source = source;
    this.name = source.config().name();
    this.transactionTopic = source.transactionTopic();
    this.stores = stores;
    this.quarantine = new QuarantineDoor(name, stores, this::flush);
    this.shapes = new RecordShapes(source, stores.tables(), stores.listener());
    this.cuts = new CutWriter(stores, barrier);
  }

  /**
   * Writes a batch; durable on return, up to the record that is returned.
   *
   * @return the last end of a transaction that the source may be acknowledged up to; empty where
   *     the batch holds none, or the cut after it has to wait
   * @throws TableChangedException where the session has to end; nothing of the batch is
   *     acknowledged
   */
  public Optional<SourceRecord> write(List<SourceRecord> records) throws TableChangedException {
    try {
      return writeAll(records);
    } catch (TableChangedException e) {
      // What Fluss was handed must not meet rows of another shape.
      flush();
      throw e;
    }
  }

  private Optional<SourceRecord> writeAll(List<SourceRecord> records) throws TableChangedException {
    int lastEnd = lastEnd(records);
    for (SourceRecord change : records.subList(0, lastEnd + 1)) {
      apply(change);
    }
    Optional<SourceRecord> acknowledgeable = Optional.empty();
    if (lastEnd >= 0) {
      SourceRecord end = records.get(lastEnd);
      // Flush before the cut, cut before acknowledging. A crash after the flush replays the batch,
      // and upserts and deletes by key converge on the same rows; a cut before the flush would name
      // offsets that may never come, and an acknowledgement before it would lose the batch.
      flush();
      checkAlive();
      cuts.finish(source.endPosition(end), source.endTime(end));
      acknowledgeable = Optional.of(end);
    }
    // What follows belongs to a transaction that goes on in the next batch: not acknowledged, so a
    // restart reads that transaction again from its beginning.
    for (SourceRecord change : records.subList(lastEnd + 1, records.size())) {
      apply(change);
    }
    flush();
    return acknowledgeable;
  }

  /**
   * Writes a chunk of a table that is copied; durable on return. Not while a batch is written.
   *
   * @return number of rows written, without those that the stream has overtaken
   */
  public int write(String display, TableCopy.Chunk chunk) {
    checkAlive();
    TableCapture capture = stores.tables().find(display).orElseThrow();
    if (capture.isPaused()) {
      return 0;
    }
    for (TableCopy.Unconvertible row : chunk.unconvertible()) {
      if (!capture.isPaused() && capture.admits(row, chunk.seen())) {
        quarantine.enter(capture, "copy", row);
        stores.tables().rememberHoles(capture);
        capture.lack();
      }
    }
    if (capture.isPaused()) {
      return 0; // there were too many of these
    }
    quarantine.leave(capture, chunk);
    int written = capture.applyChunk(chunk);
    flush();
    return written;
  }

  /**
   * Remembers from now on what the stream changes in a table, for rows that are read beside it.
   *
   * @return the table; empty where it is not captured, or paused
   */
  public Optional<SourceTable> beginReading(String display) {
    Optional<TableCapture> capture =
        stores.tables().find(display).filter(found -> !found.isPaused());
    capture.ifPresent(TableCapture::beginReading);
    return capture.map(TableCapture::table);
  }

  /** Ends what {@link #beginReading} began. */
  public void endReading(String display) {
    stores.tables().find(display).ifPresent(TableCapture::endReading);
  }

  /**
   * Brings a row that was read since {@link #beginReading} into the view, or takes it out, unless
   * the stream changed it later; durable on return. Not while a batch is written.
   *
   * @param key as JSON
   * @param row what the source has under this key
   */
  public RowReading write(String display, String key, TableCopy.Chunk row) {
    checkAlive();
    TableCapture capture = stores.tables().find(display).orElseThrow();
    // The row may be later than the stream is.
    barrier(row.seen().position());
    RowReading result = apply(capture, key, row);
    flush();
    return result;
  }

  private RowReading apply(TableCapture capture, String key, TableCopy.Chunk row) {
    if (!row.unconvertible().isEmpty()) {
      TableCopy.Unconvertible found = row.unconvertible().get(0);
      if (capture.isOvertaken(found.keyRow(), row.seen())) {
        return RowReading.OVERTAKEN;
      }
      quarantine.enter(capture, "retry at " + row.seen().position().text(), found);
      return RowReading.QUARANTINED;
    }
    Optional<GenericRow> found = row.rows().stream().findFirst();
    if (capture.isOvertaken(found, row.seen())) {
      return RowReading.OVERTAKEN;
    }
    found.ifPresent(capture::writeReading);
    quarantine.leave(capture, key);
    return found.isPresent() ? RowReading.WRITTEN : RowReading.GONE;
  }

  /** What the last chunk of each table has seen that is not whole yet. */
  public List<Optional<TableCopy.Seen>> copiesSeen() {
    return stores.tables().copying().stream().map(TableCapture::copySeen).toList();
  }

  /**
   * Marks of the changes to tables that are copied, since the last call. The source may be
   * acknowledged beyond them once every later reading shows them: a restart loses the memory of
   * what the stream changed, and must hear of the others again.
   */
  public Set<Long> takeMarks() {
    Set<Long> taken = Set.copyOf(marks);
    marks.clear();
    return taken;
  }

  /** Forbids cuts before an end of a transaction at or behind {@code position}. */
  public void barrier(SourcePosition position) {
    cuts.barrier(position);
  }

  /** Writes nothing any more: what a process that was killed would do. Any thread. */
  public void kill() {
    killed = true;
  }

  private void checkAlive() {
    if (killed) {
      throw new LakestreamException(
          ErrorCode.INTERNAL, "Cannot write changes of source %s: capture was killed", name);
    }
  }

  private int lastEnd(List<SourceRecord> records) {
    for (int i = records.size() - 1; i >= 0; i--) {
      SourceRecord candidate = records.get(i);
      if (candidate.topic().equals(transactionTopic)
          && candidate.value() instanceof Struct event
          && "END".equals(event.getString("status"))) {
        return i;
      }
    }
    return -1;
  }

  private void flush() {
    checkAlive();
    long began = System.nanoTime();
    if (stores.tables().pending().flush()) {
      stores.listener().flushed(System.nanoTime() - began);
    }
    // Behind the rows: what is not listed is in the view.
    stores.quarantine().flush();
    cuts.moved(stores.tables().pending().takeEndOffsets());
  }

  private void apply(SourceRecord change) throws TableChangedException {
    checkAlive();
    if (!(change.value() instanceof Struct envelope) || change.topic().equals(transactionTopic)) {
      return;
    }
    RecordShape shape = shapes.of(change, envelope);
    if (shape.decoder() == null) {
      return;
    }
    switch ((String) envelope.get(shape.operation())) {
      case "r", "c", "u" -> upsert(shape, (Struct) envelope.get(shape.after()), change);
      case "d" -> delete(shape, (Struct) envelope.get(shape.before()), change);
      case "t" -> truncate(shape, change);
      default ->
          throw new LakestreamException(
              ErrorCode.PROTOCOL_VIOLATION,
              "Unknown change %s of table %s",
              envelope.get(shape.operation()),
              shape.capture().table().display());
    }
  }

  // Nobody asks for the mark of a change to a table that nothing is read of beside the stream.
  private long mark(RecordShape shape, SourceRecord change) {
    if (!shape.capture().isReadBeside()) {
      return 0;
    }
    long mark = source.changeMark(change);
    if (shape.capture().isCopying()) {
      marks.add(mark);
    }
    return mark;
  }

  private void upsert(RecordShape shape, Struct after, SourceRecord change) {
    try {
      shape.capture().upsert(shape.decoder(), after, mark(shape, change), cuts.isReplaying());
      quarantine.leave(shape, after);
    } catch (UnconvertibleValueException e) {
      quarantine(shape, after, change, e);
    }
  }

  private void delete(RecordShape shape, Struct before, SourceRecord change) {
    boolean movesOn = change.headers().lastWithName(NEW_KEY) != null;
    try {
      shape.capture().delete(shape.decoder(), before, mark(shape, change), movesOn);
    } catch (UnconvertibleValueException e) {
      // A key without a home: its row never came into the view, so there is nothing to take out.
      LOG.debug("Skipped delete of a quarantined key: table={}", shape.capture().table().display());
    }
    quarantine.leave(shape, before);
  }

  // A crash after this replays what came before it into a table that is empty already, and empties
  // it once more: the rows are the same.
  private void truncate(RecordShape shape, SourceRecord change) {
    TableCapture capture = shape.capture();
    flush();
    long oldTableId = capture.live().tableId();
    capture.truncate(mark(shape, change));
    stores.quarantine().leaveAll(capture.table().display());
    cuts.replaced(oldTableId, capture);
    LOG.info(
        "Followed a truncation: source={} table={} position={}",
        name,
        capture.table().display(),
        source.changePosition(change));
  }

  private void quarantine(
      RecordShape shape, Struct row, SourceRecord change, UnconvertibleValueException e) {
    TableCapture capture = shape.capture();
    stores.tables().rememberHoles(capture);
    capture.removeQuarantined(shape.decoder(), row, mark(shape, change));
    quarantine.enter(
        capture,
        source.changePosition(change),
        new TableCopy.Unconvertible(
            shape.decoder().keyJson(row), Optional.empty(), e.column(), e.reason(), e.value()));
  }
}
