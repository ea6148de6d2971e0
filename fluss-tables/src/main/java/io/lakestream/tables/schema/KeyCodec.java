package io.lakestream.tables.schema;

import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.row.encode.CompactedKeyEncoder;
import org.apache.fluss.types.DataField;
import org.apache.fluss.types.DataType;
import org.apache.fluss.types.RowType;

/**
 * A row's primary key as bytes: equal bytes for equal keys, whether the row comes from the Fluss
 * log or from the lake. Used by the tiering job's key index and by the union reader's map of the
 * stream tail.
 *
 * <p>For one thread: Fluss's encoder reuses its buffer.
 */
public final class KeyCodec {
  private final CompactedKeyEncoder ofRow;
  private final CompactedKeyEncoder ofKey;
  private final ColumnType[] keyTypes;

  private KeyCodec(CompactedKeyEncoder ofRow, CompactedKeyEncoder ofKey, ColumnType[] keyTypes) {
    this.ofRow = ofRow;
    this.ofKey = ofKey;
    this.keyTypes = keyTypes;
  }

  public static KeyCodec of(TableDefinition definition) {
    int[] keyIndexes = definition.keyIndexes();
    ColumnType[] keyTypes = new ColumnType[keyIndexes.length];
    DataField[] keyFields = new DataField[keyIndexes.length];
    for (int i = 0; i < keyIndexes.length; i++) {
      Column column = definition.columns().get(keyIndexes[i]);
      keyTypes[i] = column.type();
      keyFields[i] = new DataField(column.name(), column.type().toFluss(false));
    }
    return new KeyCodec(
        new CompactedKeyEncoder(definition.toFlussRowType(), keyIndexes),
        new CompactedKeyEncoder(RowType.of(keyFieldTypes(keyFields), keyFieldNames(keyFields))),
        keyTypes);
  }

  /** Key of a whole row, with the columns of the definition in their order. */
  public byte[] encodeRow(InternalRow row) {
    return ofRow.encodeKey(row);
  }

  /**
   * Key from its Java values, as {@link ColumnType} describes them.
   *
   * @param keyValues one per key column, in the key's order, none null
   */
  public byte[] encodeKey(Object... keyValues) {
    GenericRow key = new GenericRow(keyTypes.length);
    for (int i = 0; i < keyTypes.length; i++) {
      key.setField(i, keyTypes[i].toFlussValue(keyValues[i]));
    }
    return ofKey.encodeKey(key);
  }

  private static DataType[] keyFieldTypes(DataField[] fields) {
    DataType[] types = new DataType[fields.length];
    for (int i = 0; i < fields.length; i++) {
      types[i] = fields[i].getType();
    }
    return types;
  }

  private static String[] keyFieldNames(DataField[] fields) {
    String[] names = new String[fields.length];
    for (int i = 0; i < fields.length; i++) {
      names[i] = fields[i].getName();
    }
    return names;
  }
}
