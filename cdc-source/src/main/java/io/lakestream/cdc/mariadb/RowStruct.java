package io.lakestream.cdc.mariadb;

import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;

/**
 * A row of the stream. Unlike a plain {@link Struct} it may hold a {@link
 * io.lakestream.cdc.decode.NoHome} in any field, and does not check what the reader of its cells
 * ensures.
 */
final class RowStruct extends Struct {
  private final Object[] cells;

  RowStruct(Schema schema, Object[] cells) {
    super(schema);
    this.cells = cells;
  }

  @Override
  public Object get(Field field) {
    return cells[field.index()];
  }

  @Override
  public Object get(String name) {
    return cells[schema().field(name).index()];
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }
}
