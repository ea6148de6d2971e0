package io.lakestream.distribution.laptop;

import io.lakestream.distribution.verify.View;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.lake.LakeHead;
import io.lakestream.tables.lake.LakeTables;
import io.lakestream.tables.schema.TableName;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterator;
import org.awaitility.Awaitility;

/**
 * The lake alone, read by Iceberg's own generic reader, once tiering has caught up with a log that
 * nobody writes to.
 */
record LakeOnly(FlussTables tables, LakeTables lake) implements View {
  @Override
  public Pinned pin(Collection<TableName> names, SourcePosition position, Duration timeout) {
    for (TableName name : names) {
      Awaitility.await("tiering of " + name)
          .atMost(timeout)
          .pollInterval(Duration.ofMillis(50))
          .until(() -> hasCaughtUp(name));
    }
    return new Pinned() {
      @Override
      public SourcePosition position() {
        return position;
      }

      @Override
      public CloseableIterator<Record> rows(TableName name) {
        return IcebergGenerics.read(lake.find(name).orElseThrow()).build().iterator();
      }
    };
  }

  private boolean hasCaughtUp(TableName name) {
    LiveTable live = tables.find(name).orElseThrow();
    Map<Integer, Long> ends = tables.endOffsets(live.path(), live.definition().buckets());
    Table table = lake.find(name).orElse(null);
    if (table == null) {
      return ends.values().stream().allMatch(end -> end == 0);
    }
    return LakeHead.find(table)
        .map(
            head ->
                head.offsets().tableId() == live.tableId()
                    && ends.entrySet().stream()
                        .allMatch(end -> head.offsets().endOffset(end.getKey()) == end.getValue()))
        .orElse(ends.values().stream().allMatch(end -> end == 0));
  }
}
