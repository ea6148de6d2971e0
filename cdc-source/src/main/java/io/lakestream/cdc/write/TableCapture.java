package io.lakestream.cdc.write;

import io.lakestream.cdc.decode.RowDecoder;
import io.lakestream.cdc.decode.UnconvertibleValueException;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.KeyCodec;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.kafka.connect.data.Struct;

/**
 * Applies the changes of one table to its Fluss table, in the order of the source's log.
 *
 * <p>Every change is an upsert or a delete by key, so that changes applied twice in the same order
 * give the same rows.
 */
final class TableCapture implements AutoCloseable {
  private final SourceTable table;
  private final FlussTables tables;
  private final PendingWrites pending;
  private LiveTable live;
  private TableWriter writer;
  private final MissingValues missingValues;
  private final InternalRow.FieldGetter[] getters;
  private final BitSet unchanged = new BitSet();
  // Key that a row leaves; its change of key comes as a delete and an insert, possibly in two
  // batches.
  private GenericRow movedFrom;
  private boolean hasHoles;
  // What every reading of the copy has seen, until the stream is past it: those changes may be from
  // before the table had this shape, and the copy has what came of them.
  private TableCopy.Seen since;
  private final Map<String, TableCopy.Seen> added;
  // Set while single rows are read from the source beside the stream.
  private CopyFilter reading;
  // Set while the table is copied.
  private CopyFilter copy;

  private volatile String pauseReason = "";
  private final LongAdder copied = new LongAdder();
  private final LongAdder upserts = new LongAdder();
  private final LongAdder deletes = new LongAdder();
  private final LongAdder quarantined = new LongAdder();

  TableCapture(
      FlussTables tables,
      SourceTable table,
      LiveTable live,
      PendingWrites pending,
      MissingValues missingValues,
      boolean hasHoles,
      CaptureTables.Before before) {
    this.tables = tables;
    this.pending = pending;
    this.table = table;
    this.live = live;
    this.writer = new TableWriter(tables, live, pending);
    this.missingValues = missingValues;
    this.hasHoles = hasHoles;
    this.copy = before.copying() ? new CopyFilter(KeyCodec.of(live.definition())) : null;
    this.since = before.since().orElse(null);
    this.added = before.added();
    List<Column> columns = live.definition().columns();
    this.getters = new InternalRow.FieldGetter[columns.size()];
    for (int i = 0; i < getters.length; i++) {
      getters[i] = InternalRow.createFieldGetter(columns.get(i).type().toFluss(true), i);
    }
  }

  SourceTable table() {
    return table;
  }

  LiveTable live() {
    return live;
  }

  /** Counts for status: changes applied since the start of this process. */
  TableChanges changes() {
    return new TableChanges(copied.sum() + upserts.sum(), deletes.sum(), quarantined.sum());
  }

  /** True where the copy of the table began behind changes that the stream may still bring. */
  boolean leavesOut() {
    return since != null;
  }

  /** True where the copy of the table has a change, so that it must not be applied. */
  boolean leavesOut(long changeMark) {
    return since != null && since.includes(changeMark);
  }

  /**
   * True where a change may come without a column: the column was added later, and is NULL in every
   * row from before it.
   */
  boolean isFromBefore(String column, long changeMark) {
    TableCopy.Seen seen = added.get(column);
    return seen != null && seen.includes(changeMark);
  }

  /** The stream is at a cut at {@code position}, which holds everything before it. */
  void reached(SourcePosition position) {
    if (since != null && copy == null && position.covers(since.position())) {
      since = null;
    }
  }

  /** The same Fluss table, with other properties. */
  void changed(LiveTable now) {
    live = now;
  }

  /** True until the stream is past everything that the copy of the table has shown. */
  boolean isCopying() {
    return copy != null;
  }

  /** What the last chunk has seen; empty before the first. */
  Optional<TableCopy.Seen> copySeen() {
    return copy.seen();
  }

  /** Remembers that the stream changes the row with {@code row}'s key. */
  private void remember(GenericRow row, long changeMark) {
    if (copy != null) {
      copy.changed(row, changeMark);
    }
    if (reading != null) {
      reading.changed(row, changeMark);
    }
  }

  /**
   * Writes the rows of a chunk that no later change has overtaken.
   *
   * @return number of rows written
   */
  int applyChunk(TableCopy.Chunk chunk) {
    int written = 0;
    for (GenericRow row : chunk.rows()) {
      if (copy.admits(row, chunk.seen())) {
        writer.upsert(row);
        written++;
      }
    }
    copied.add(written);
    copy.applied(chunk);
    return written;
  }

  /** True where a row that did not convert is still the current one. */
  boolean admits(TableCopy.Unconvertible row, TableCopy.Seen seen) {
    return row.keyRow().isEmpty() || copy.admits(row.keyRow().get(), seen);
  }

  /** True where a row of a chunk is still the current one. */
  boolean admits(GenericRow row, TableCopy.Seen seen) {
    return copy.admits(row, seen);
  }

  /** Remembers from now on what the stream changes, for rows that are read beside it. */
  void beginReading() {
    reading = new CopyFilter(KeyCodec.of(live.definition()));
  }

  /** True while rows of the table are read from the source beside its stream. */
  boolean isReadBeside() {
    return copy != null || reading != null;
  }

  void endReading() {
    reading = null;
  }

  /**
   * True where the stream changed a row that was read since {@link #beginReading} later than the
   * reading; without the row's key, where it changed any row so.
   */
  boolean isOvertaken(Optional<GenericRow> keyRow, TableCopy.Seen seen) {
    return keyRow.isPresent() ? !reading.admits(keyRow.get(), seen) : reading.isBehind(seen);
  }

  void writeReading(GenericRow row) {
    writer.upsert(row);
  }

  /** Ends the copy where it is whole at a cut at {@code position}; true if so. */
  boolean endCopy(SourcePosition position) {
    if (!copy.isWholeAt(position)) {
      return false;
    }
    copy = null;
    return true;
  }

  boolean isPaused() {
    return !pauseReason.isEmpty();
  }

  String pauseReason() {
    return pauseReason;
  }

  void pause(String reason) {
    pauseReason = reason;
  }

  /**
   * Applies an insert, or an update that keeps the key.
   *
   * @param changeMark of the change
   * @param replaying true where the change may have been applied before
   */
  void upsert(RowDecoder decoder, Struct after, long changeMark, boolean replaying)
      throws UnconvertibleValueException {
    GenericRow row = decoder.decode(after, unchanged);
    remember(row, changeMark);
    upserts.increment();
    GenericRow oldKey = movedFrom;
    movedFrom = null;
    if (unchanged.isEmpty()) {
      if (oldKey != null) {
        writer.delete(oldKey);
      }
      writer.upsert(row);
    } else if (oldKey != null) {
      moveWithUnchanged(row, oldKey, replaying || isCopying());
    } else {
      updateWithUnchanged(row);
    }
  }

  // The source keeps long values out of an update that does not touch them; Fluss keeps its own.
  private void updateWithUnchanged(GenericRow row) throws UnconvertibleValueException {
    if ((hasHoles || isCopying()) && writer.lookup(row).isEmpty()) {
      // The row's last version is in quarantine, or not copied yet: Fluss has nothing to keep.
      missingValues.fill(table, row, unchanged);
      writer.upsert(row);
      return;
    }
    // On a replay the row may be gone from Fluss already. Then this leaves a row without its long
    // values, and the replay goes on to the change that removed it: a delete, or a change of key,
    // which takes its values from the source.
    writer.upsertPartially(row, unchanged);
  }

  private void moveWithUnchanged(GenericRow row, GenericRow oldKey, boolean replaying)
      throws UnconvertibleValueException {
    Optional<InternalRow> old = replaying ? Optional.empty() : writer.lookup(oldKey);
    if (old.isPresent()) {
      for (int i = unchanged.nextSetBit(0); i >= 0; i = unchanged.nextSetBit(i + 1)) {
        row.setField(i, getters[i].getFieldOrNull(old.get()));
      }
    } else {
      // On a replay Fluss cannot be asked: what it has under the old key may be a later row, and
      // what it had under the new key a replayed delete may have removed. The source has the value,
      // or a later one whose own change is still to come, or no such row, and then a later change
      // removes this one, too.
      missingValues.fill(table, row, unchanged);
    }
    writer.upsert(row);
    // The new row first: a crash between the two leaves both, and the replay deletes the old one.
    // In the other order the value would be gone from Fluss.
    writer.flush();
    writer.delete(oldKey);
  }

  /**
   * Empties the table: drops it and creates it again, whatever its size. Everything written before
   * must be durable.
   */
  void truncate(long changeMark) {
    writer.close();
    live = tables.generations().empty(live);
    writer = new TableWriter(tables, live, pending);
    hasHoles = false;
    movedFrom = null;
    if (copy != null) {
      copy.emptied(changeMark);
    }
    if (reading != null) {
      reading.emptied(changeMark);
    }
  }

  /** Applies a delete, or the first half of a change of key. */
  void delete(RowDecoder decoder, Struct before, long changeMark, boolean movesOn)
      throws UnconvertibleValueException {
    GenericRow key = decoder.decodeKey(before);
    remember(key, changeMark);
    if (movesOn) {
      movedFrom = key;
    } else {
      deletes.increment();
      writer.delete(key);
    }
  }

  /**
   * Takes the row of a change that went to quarantine out of the view: an older version must not
   * pass for the current one.
   */
  void removeQuarantined(RowDecoder decoder, Struct row, long changeMark) {
    hasHoles = true;
    quarantined.increment();
    GenericRow oldKey = movedFrom;
    movedFrom = null;
    if (oldKey != null) {
      writer.delete(oldKey);
    }
    decoder
        .findKey(row)
        .ifPresent(
            key -> {
              remember(key, changeMark);
              writer.delete(key);
            });
  }

  /** A row of the copy that is in quarantine: the view lacks it. */
  void lack() {
    hasHoles = true;
    quarantined.increment();
  }

  boolean hasHoles() {
    return hasHoles;
  }

  @Override
  public void close() {
    writer.close();
  }
}
