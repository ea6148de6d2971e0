package io.lakestream.cdc;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.LogRangeReader;
import io.lakestream.tables.change.OffsetRange;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.KeyCodec;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.schema.TextForm;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.record.ChangeType;
import org.apache.fluss.row.InternalRow;

/** Current rows of a Fluss table, folded out of its log up to given offsets. */
final class View {
  private View() {}

  static List<String> rows(FlussTables tables, TableName name) {
    LiveTable live = tables.find(name).orElseThrow();
    return rows(tables, live, tables.endOffsets(live.path(), live.definition().buckets()));
  }

  static List<String> rowsAt(FlussTables tables, TableName name, Cut cut) {
    LiveTable live = tables.find(name).orElseThrow();
    Map<Integer, Long> ends = new HashMap<>();
    for (TableBucket bucket : live.buckets()) {
      ends.put(bucket.getBucket(), cut.endOffset(bucket));
    }
    return rows(tables, live, ends);
  }

  private static List<String> rows(FlussTables tables, LiveTable live, Map<Integer, Long> ends) {
    Map<ByteBuffer, List<String>> current = new HashMap<>();
    KeyCodec codec = KeyCodec.of(live.definition());
    Map<Integer, OffsetRange> ranges = new HashMap<>();
    ends.forEach((bucket, end) -> ranges.put(bucket, new OffsetRange(0, end)));
    Table table = tables.openTable(live.path());
    try (LogRangeReader reader = LogRangeReader.open(table, ranges, Duration.ofSeconds(20))) {
      while (!reader.isFinished()) {
        reader
            .poll()
            .values()
            .forEach(changes -> changes.forEach(c -> apply(live, codec, current, c)));
      }
    }
    TreeMap<String, Integer> rows = new TreeMap<>();
    current.values().forEach(row -> rows.merge(String.valueOf(row), 1, Integer::sum));
    return rows.entrySet().stream().map(e -> e.getKey() + " x" + e.getValue()).toList();
  }

  private static void apply(
      LiveTable live, KeyCodec codec, Map<ByteBuffer, List<String>> current, ScanRecord change) {
    ByteBuffer key = ByteBuffer.wrap(codec.encodeRow(change.getRow()));
    if (change.getChangeType() == ChangeType.DELETE) {
      current.remove(key);
    } else if (change.getChangeType() != ChangeType.UPDATE_BEFORE) {
      current.put(key, text(live, change.getRow()));
    }
  }

  private static List<String> text(LiveTable live, InternalRow row) {
    List<String> values = new ArrayList<>();
    List<Column> columns = live.definition().columns();
    for (int i = 0; i < columns.size(); i++) {
      Object value = columns.get(i).type().readFluss(row, i);
      values.add(value == null ? null : TextForm.print(columns.get(i).type(), value));
    }
    return values;
  }
}
