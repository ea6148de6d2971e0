package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.decode.StreamField;
import io.lakestream.cdc.mariadb.TableMap.WireColumn;
import io.lakestream.tables.schema.ColumnType;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/**
 * How to read the rows of one captured table, as the newest {@link TableMap} describes it. A new
 * one takes its place when the description changes, with new schemas: their identity is what tells
 * the writer to look at the table again.
 */
final class StreamTable {
  private static final Schema SOURCE_SCHEMA =
      SchemaBuilder.struct()
          .field("schema", Schema.STRING_SCHEMA)
          .field("table", Schema.STRING_SCHEMA)
          .build();

  private final CapturedColumns captured;
  private final TableMap map;
  private final CellReader[] readers;
  private final int[] keyColumns;
  private final Schema rowSchema;
  private final Schema envelope;
  private final Field before;
  private final Field after;
  private final Field operation;
  private final Field source;
  private final Struct origin;
  private final boolean hasProblem;

  private StreamTable(
      CapturedColumns captured,
      TableMap map,
      CellReader[] readers,
      int[] keyColumns,
      Schema rowSchema,
      boolean hasProblem) {
    this.captured = captured;
    this.map = map;
    this.readers = readers;
    this.keyColumns = keyColumns;
    this.rowSchema = rowSchema;
    this.hasProblem = hasProblem;
    this.envelope =
        SchemaBuilder.struct()
            .field("before", rowSchema)
            .field("after", rowSchema)
            .field("op", Schema.STRING_SCHEMA)
            .field("source", SOURCE_SCHEMA)
            .build();
    this.before = envelope.field("before");
    this.after = envelope.field("after");
    this.operation = envelope.field("op");
    this.source = envelope.field("source");
    this.origin =
        new Struct(SOURCE_SCHEMA).put("schema", captured.schema()).put("table", captured.table());
  }

  /** Resolves a description. */
  static StreamTable of(CapturedColumns captured, TableMap map, Charsets charsets) {
    if (!map.hasNames()) {
      return problem(
          captured,
          "binlog_row_metadata is no longer FULL, so that changes do not name their columns");
    }
    List<WireColumn> columns = map.columns;
    SchemaBuilder row = SchemaBuilder.struct().optional();
    CellReader[] readers = new CellReader[columns.size()];
    for (int i = 0; i < readers.length; i++) {
      WireColumn column = columns.get(i);
      String dataType = captured.dataType(column.name());
      String type = StreamType.ofLog(column, dataType, charsets);
      row.field(column.name(), field(captured.home(column.name()), type));
      // A column of another type than the registered one has no reader: its table is paused at the
      // schema, before any value is looked at.
      readers[i] =
          type.equals(captured.streamType(column.name()))
              ? CellReader.of(column, dataType, charsets)
              : null;
    }
    int[] keys =
        captured.primaryKey().stream()
            .mapToInt(name -> columns.stream().map(WireColumn::name).toList().indexOf(name))
            .toArray();
    boolean readable =
        Arrays.stream(readers).noneMatch(reader -> reader == null)
            && Arrays.stream(keys).noneMatch(key -> key < 0);
    return new StreamTable(captured, map, readers, keys, row.build(), !readable);
  }

  /** A table whose changes cannot be followed any more: the next record of it pauses it. */
  static StreamTable problem(CapturedColumns captured, String reason) {
    return problem(
        captured, SchemaBuilder.struct().optional().parameter(StreamField.PROBLEM, reason));
  }

  /** A table that is another one from here on, so that only a new copy of it is right. */
  static StreamTable replaced(CapturedColumns captured, String reason) {
    return problem(
        captured,
        SchemaBuilder.struct()
            .optional()
            .parameter(StreamField.PROBLEM, reason)
            .parameter(StreamField.MENDED_BY_COPY, "true"));
  }

  private static StreamTable problem(CapturedColumns captured, SchemaBuilder row) {
    return new StreamTable(captured, null, new CellReader[0], new int[0], row.build(), true);
  }

  /** A table with the columns that it was registered with, for a change that has no rows. */
  static StreamTable truncated(CapturedColumns captured) {
    SchemaBuilder row = SchemaBuilder.struct().optional();
    captured
        .columns()
        .forEach((name, known) -> row.field(name, field(known.home(), known.streamType())));
    return new StreamTable(captured, null, new CellReader[0], new int[0], row.build(), true);
  }

  private static Schema field(ColumnType home, String type) {
    SchemaBuilder field =
        switch (home.kind()) {
          case BOOLEAN -> SchemaBuilder.bool();
          case SMALLINT, INT -> SchemaBuilder.int32();
          case BIGINT, DATE, TIMESTAMP, TIMESTAMP_LTZ -> SchemaBuilder.int64();
          case FLOAT -> SchemaBuilder.float32();
          case DOUBLE -> SchemaBuilder.float64();
          case BYTES -> SchemaBuilder.bytes();
          case STRING, DECIMAL -> SchemaBuilder.string();
        };
    return field.optional().parameter(StreamField.TYPE, type).build();
  }

  boolean isFor(TableMap other) {
    return map != null && map.isSameAs(other);
  }

  CapturedColumns captured() {
    return captured;
  }

  int columnCount() {
    return readers.length;
  }

  /** True where rows cannot be read: any record of this table pauses it. */
  boolean hasProblem() {
    return hasProblem;
  }

  /** Schema of this table's records. */
  Schema schema() {
    return envelope;
  }

  /** Reads a row image of all columns. */
  RowStruct readRow(ByteCursor in) {
    BitSet nulls = in.bits(readers.length);
    Object[] cells = new Object[readers.length];
    for (int i = 0; i < cells.length; i++) {
      if (!nulls.get(i)) {
        cells[i] = readers[i].read(in);
      }
    }
    return new RowStruct(rowSchema, cells);
  }

  /** Reads the key columns of a row image of all columns; the others are NULL. */
  RowStruct readKey(ByteCursor in) {
    BitSet nulls = in.bits(readers.length);
    Object[] cells = new Object[readers.length];
    for (int i = 0; i < cells.length; i++) {
      if (!nulls.get(i)) {
        if (isKey(i)) {
          cells[i] = readers[i].read(in);
        } else {
          readers[i].skip(in);
        }
      }
    }
    return new RowStruct(rowSchema, cells);
  }

  private boolean isKey(int column) {
    for (int key : keyColumns) {
      if (key == column) {
        return true;
      }
    }
    return false;
  }

  /** True where two rows have the same key, byte by byte. */
  boolean isSameKey(RowStruct one, RowStruct other) {
    for (int key : keyColumns) {
      Field field = rowSchema.fields().get(key);
      Object left = one.get(field);
      Object right = other.get(field);
      boolean same =
          (left instanceof byte[] bytes && right instanceof byte[] others)
              ? Arrays.equals(bytes, others)
              : java.util.Objects.equals(left, right);
      if (!same) {
        return false;
      }
    }
    return true;
  }

  /** One change, as Debezium describes it. */
  Struct change(String op, RowStruct old, RowStruct current) {
    Struct change = new Struct(envelope).put(operation, op).put(source, origin);
    if (old != null) {
      change.put(before, old);
    }
    return current == null ? change : change.put(after, current);
  }
}
