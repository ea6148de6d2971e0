package io.lakestream.union.read;

import io.lakestream.tables.schema.KeyCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.NoSuchElementException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.CloseableIterator;

/** The lake's rows that the tail does not decide about, with the result's columns. */
final class LakeRows implements CloseableIterator<Record> {
  private final CloseableIterable<Record> files;
  private final CloseableIterator<Record> rows;
  private final ReadShape shape;
  private final TailRows tail;
  private final RowPredicate predicate;
  private final boolean keepsAll;
  private final KeyCodec keyCodec;
  private final int[] keyPositions;
  private final Object[] keyValues;
  private final RowKey probe = new RowKey(new byte[0]);
  private final Record template;
  private Record next;

  private LakeRows(
      CloseableIterable<Record> files, ReadShape shape, RowFilter filter, TailRows tail) {
    this.files = files;
    this.rows = files.iterator();
    this.shape = shape;
    this.tail = tail;
    this.predicate = RowPredicate.of(filter, shape.filteredSchema());
    this.keepsAll = filter.keepsAll();
    this.keyCodec = KeyCodec.of(shape.columns());
    this.keyPositions = shape.columns().keyIndexes();
    this.keyValues = new Object[keyPositions.length];
    this.template = GenericRecord.create(shape.resultSchema());
  }

  static LakeRows open(
      Table lake, long snapshotId, ReadShape shape, RowFilter filter, TailRows tail) {
    // Without a tail nobody asks for keys.
    Schema projection = tail.isEmpty() ? shape.filteredSchema() : shape.schema();
    return new LakeRows(
        IcebergGenerics.read(lake)
            .useSnapshot(snapshotId)
            .project(projection)
            .where(filter.pushed())
            .build(),
        shape,
        filter,
        tail);
  }

  @Override
  public boolean hasNext() {
    while (next == null && rows.hasNext()) {
      Record row = rows.next();
      if ((keepsAll || predicate.keeps(row)) && (tail.isEmpty() || !tail.decides(key(row)))) {
        next = result(row);
      }
    }
    return next != null;
  }

  @Override
  public Record next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Record row = next;
    next = null;
    return row;
  }

  private RowKey key(Record row) {
    for (int i = 0; i < keyValues.length; i++) {
      keyValues[i] = row.get(keyPositions[i]);
    }
    return probe.set(keyCodec.encodeKey(keyValues));
  }

  private Record result(Record row) {
    if (row.size() == shape.resultCount()) {
      return row;
    }
    Record result = template.copy();
    for (int i = 0; i < shape.resultCount(); i++) {
      result.set(i, row.get(i));
    }
    return result;
  }

  @Override
  public void close() {
    try (files) {
      rows.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot close the files of " + shape.columns().name(), e);
    }
  }
}
