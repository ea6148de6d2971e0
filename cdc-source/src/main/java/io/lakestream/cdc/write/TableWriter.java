package io.lakestream.cdc.write;

import io.lakestream.tables.ddl.FlussCalls;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.fluss.client.lookup.Lookuper;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.row.ProjectedRow;

/**
 * Writes into one Fluss table. For one thread.
 *
 * <p>A bucket's open batch takes rows of one shape only, whole ones or one set of columns, and
 * Fluss throws where another comes. So this class flushes when the shape changes.
 */
final class TableWriter implements AutoCloseable {
  private static final BitSet WHOLE = new BitSet();

  private final LiveTable live;
  private final int[] keyIndexes;
  private final Table table;
  private final UpsertWriter whole;
  private final Lookuper lookuper;
  private final PendingWrites pending;
  // By the columns that an update leaves unchanged.
  private final Map<BitSet, UpsertWriter> partial = new HashMap<>();
  private BitSet openShape = WHOLE;
  private long openSince = -1;

  TableWriter(FlussTables tables, LiveTable live, PendingWrites pending) {
    this.live = live;
    this.keyIndexes = live.definition().keyIndexes();
    this.table = tables.openTable(live.path());
    this.whole = table.newUpsert().createWriter();
    this.lookuper = table.newLookup().createLookuper();
    this.pending = pending;
  }

  void upsert(GenericRow row) {
    open(WHOLE);
    pending.addUpsert(whole, whole.upsert(row));
  }

  /** Writes all columns but {@code unchanged}; Fluss keeps those of the row it has. */
  void upsertPartially(GenericRow row, BitSet unchanged) {
    UpsertWriter writer = partial.get(unchanged);
    if (writer == null) {
      writer = partialWriter(unchanged);
      partial.put((BitSet) unchanged.clone(), writer);
    }
    open(unchanged);
    pending.addUpsert(writer, writer.upsert(row));
  }

  /** Deletes by the key columns of {@code row}. */
  void delete(GenericRow row) {
    open(WHOLE);
    pending.addDelete(whole, whole.delete(row));
  }

  void flush() {
    pending.flush();
  }

  /** Flushes, then reads the row of a key. */
  Optional<InternalRow> lookup(GenericRow row) {
    pending.flush();
    InternalRow key = ProjectedRow.from(keyIndexes).replaceRow(row);
    return Optional.ofNullable(
        FlussCalls.await(lookuper.lookup(key), "read a row of " + live.path()).getSingletonRow());
  }

  private UpsertWriter partialWriter(BitSet unchanged) {
    int[] columns = new int[live.definition().columns().size() - unchanged.cardinality()];
    int at = 0;
    for (int i = unchanged.nextClearBit(0);
        at < columns.length;
        i = unchanged.nextClearBit(i + 1)) {
      columns[at++] = i;
    }
    return table.newUpsert().partialUpdate(columns).createWriter();
  }

  private void open(BitSet shape) {
    boolean mayBeOpen = openSince == pending.flushes();
    if (mayBeOpen && !openShape.equals(shape)) {
      pending.flush();
    }
    if (!openShape.equals(shape)) {
      openShape = (BitSet) shape.clone();
    }
    openSince = pending.flushes();
  }

  @Override
  public void close() {
    FlussCalls.close(table, live.path().toString());
  }
}
