package io.lakestream.tiering.write;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.TableDefinition;
import java.nio.ByteBuffer;
import java.util.List;
import org.apache.fluss.row.InternalRow;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Types;

/** Turns rows of the Fluss log into rows of the lake table, column by name. */
final class LakeRows {
  private static final int FIXED_VALUE_BYTES = 16;

  private final ColumnType[] types;
  private final int[] lakePositions;
  private final int bucketPosition;
  private final GenericRecord template;

  LakeRows(TableDefinition definition, Schema lakeSchema) {
    List<Column> columns = definition.columns();
    this.types = columns.stream().map(Column::type).toArray(ColumnType[]::new);
    this.lakePositions =
        columns.stream()
            .mapToInt(column -> position(definition, lakeSchema, column.name()))
            .toArray();
    this.bucketPosition = position(definition, lakeSchema, Column.BUCKET);
    this.template = GenericRecord.create(lakeSchema);
  }

  private static int position(TableDefinition definition, Schema lakeSchema, String column) {
    List<Types.NestedField> fields = lakeSchema.columns();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).name().equals(column)) {
        return i;
      }
    }
    throw new LakestreamException(
        ErrorCode.INCOMPATIBLE_DEFINITION,
        "Cannot tier %s: its lake table has no column %s (columns: %s). Add it there, or take a new copy of the table.",
        definition.name().display(),
        column,
        lakeSchema.columns().stream().map(Types.NestedField::name).toList());
  }

  /** A lake row with the values of {@code row}. */
  Record convert(InternalRow row, int bucket) {
    GenericRecord lakeRow = template.copy();
    for (int i = 0; i < types.length; i++) {
      lakeRow.set(lakePositions[i], types[i].readFluss(row, i));
    }
    lakeRow.set(bucketPosition, bucket);
    return lakeRow;
  }

  /** What a row takes in memory, roughly, in bytes. */
  static long estimateBytes(Record row) {
    long bytes = 0;
    for (int i = 0; i < row.size(); i++) {
      Object value = row.get(i);
      bytes += FIXED_VALUE_BYTES;
      if (value instanceof String text) {
        bytes += text.length();
      } else if (value instanceof ByteBuffer buffer) {
        bytes += buffer.remaining();
      }
    }
    return bytes;
  }
}
