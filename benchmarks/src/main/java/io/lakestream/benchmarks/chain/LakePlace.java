package io.lakestream.benchmarks.chain;

import io.lakestream.tables.lake.LakeTables;
import io.lakestream.tables.schema.TableName;
import java.io.IOException;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;

/** The lake alone, read by Iceberg's generic reader; a snapshot without the row is read once. */
final class LakePlace implements LagProbe.Place {
  private final LakeTables lake;
  private final TableName name;
  private final String keyColumn;
  private long lackingSnapshot = -1;
  private long lackedKey = -1;

  LakePlace(LakeTables lake, TableName name, String keyColumn) {
    this.lake = lake;
    this.name = name;
    this.keyColumn = keyColumn;
  }

  @Override
  public boolean has(long key) throws IOException {
    Table table = lake.find(name).orElseThrow();
    Snapshot snapshot = table.currentSnapshot();
    if (snapshot == null || (snapshot.snapshotId() == lackingSnapshot && key == lackedKey)) {
      return false;
    }
    try (CloseableIterable<Record> rows =
        IcebergGenerics.read(table).where(Expressions.equal(keyColumn, key)).build()) {
      boolean found = rows.iterator().hasNext();
      lackingSnapshot = found ? -1 : snapshot.snapshotId();
      lackedKey = key;
      return found;
    }
  }
}
