package io.lakestream.union.read;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.KeyCodec;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.record.ChangeType;
import org.apache.fluss.row.InternalRow;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;

/**
 * The last change of every key in the stream tail. A key whose row was deleted, or is filtered out,
 * stays as a key without a row: it hides the lake's row.
 */
final class TailRows {
  // Map entry, key object, array headers, record: what an entry takes beside its values.
  private static final long ENTRY_BYTES = 160;
  private static final long VALUE_BYTES = 24;
  private static final long MEGABYTE = 1L << 20;

  private final ReadShape shape;
  private final String table;
  private final RowPredicate predicate;
  private final KeyCodec keyCodec;
  private final ColumnType[] types;
  private final long capBytes;
  private final Record template;
  private final Record scratch;
  private final boolean keepsAll;

  private final Map<RowKey, Record> rows = new HashMap<>();
  private long bytes;

  TailRows(ReadShape shape, RowFilter filter, long capBytes) {
    this.shape = shape;
    this.table = shape.columns().name().display();
    this.predicate = RowPredicate.of(filter, shape.filteredSchema());
    this.keepsAll = filter.keepsAll();
    this.keyCodec = KeyCodec.of(shape.columns());
    this.types = shape.columns().columns().stream().map(c -> c.type()).toArray(ColumnType[]::new);
    this.capBytes = capBytes;
    this.template = GenericRecord.create(shape.resultSchema());
    this.scratch = GenericRecord.create(shape.filteredSchema());
  }

  /** Takes changes of one bucket, in log order. */
  void apply(List<ScanRecord> changes) {
    for (ScanRecord change : changes) {
      ChangeType type = change.getChangeType();
      if (type == ChangeType.UPDATE_BEFORE) {
        continue; // its +U says all; without one the old row still stands
      }
      InternalRow row = change.getRow();
      RowKey key = new RowKey(keyCodec.encodeRow(row));
      put(key, type == ChangeType.DELETE ? null : resultOf(row));
    }
  }

  private void put(RowKey key, Record row) {
    int keysBefore = rows.size();
    Record replaced = rows.put(key, row);
    bytes += valueBytes(row) - valueBytes(replaced);
    if (rows.size() > keysBefore) {
      bytes += ENTRY_BYTES + key.length();
    }
    if (bytes > capBytes) {
      throw new LakestreamException(
          ErrorCode.TAIL_TOO_LARGE,
          "Cannot read table %s: its stream tail needs more than %s MB of memory (%s keys so far). Read again when the lake has caught up, read fewer columns, or allow more tail memory.",
          table,
          capBytes / MEGABYTE,
          rows.size());
    }
  }

  // Null where the filter does not keep the row.
  private Record resultOf(InternalRow row) {
    if (keepsAll) {
      return fill(template.copy(), row, shape.resultCount());
    }
    if (!predicate.keeps(fill(scratch, row, shape.filteredCount()))) {
      return null;
    }
    Record result = template.copy();
    for (int i = 0; i < shape.resultCount(); i++) {
      result.set(i, scratch.get(i));
    }
    return result;
  }

  private Record fill(Record record, InternalRow row, int count) {
    for (int i = 0; i < count; i++) {
      record.set(i, types[i].readFluss(row, i));
    }
    return record;
  }

  private long valueBytes(Record row) {
    if (row == null) {
      return 0;
    }
    long size = 0;
    for (int i = 0; i < row.size(); i++) {
      Object value = row.get(i);
      size += VALUE_BYTES;
      if (value instanceof String text) {
        size += VALUE_BYTES + 2L * text.length();
      } else if (value instanceof ByteBuffer binary) {
        size += 2 * VALUE_BYTES + binary.remaining();
      } else if (value instanceof BigDecimal) {
        size += 2 * VALUE_BYTES;
      }
    }
    return size;
  }

  boolean isEmpty() {
    return rows.isEmpty();
  }

  /** True where the tail has the last word about a key. */
  boolean decides(RowKey key) {
    return rows.containsKey(key);
  }

  /** The rows that exist and pass the filter. */
  Iterator<Record> liveRows() {
    return rows.values().stream().filter(Objects::nonNull).iterator();
  }
}
