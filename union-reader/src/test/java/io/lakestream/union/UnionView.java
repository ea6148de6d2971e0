package io.lakestream.union;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.fixture.Definitions;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.fixture.TableWriter;
import io.lakestream.tables.lake.LakeConfig;
import io.lakestream.tables.lake.LakeTables;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.CutLog;
import io.lakestream.union.plan.ReadPlan;
import io.lakestream.union.plan.ReadPoint;
import io.lakestream.union.read.ReadOptions;
import io.lakestream.union.read.UnionRows;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.fluss.metadata.TableBucket;
import org.apache.iceberg.data.Record;

/** What the tests read: a real Fluss, a lake in a folder, and a reader over both. */
final class UnionView implements AutoCloseable {
  final FlussTables tables = SharedFluss.tables();
  final LakeTables lake;
  final UnionReader reader;

  UnionView(Path folder) {
    lake =
        LakeTables.open(
            new LakeConfig(
                "jdbc:sqlite:"
                    + folder.resolve("catalog.db")
                    + "?busy_timeout=10000&journal_mode=WAL",
                folder.resolve("warehouse").toUri().toString(),
                Map.of()));
    reader = UnionReader.open(tables, lake);
  }

  /** Creates {@code public.t} of a source. */
  LiveTable create(String source, int buckets, List<String> key, String... columns) {
    return create(source, "t", buckets, key, columns);
  }

  LiveTable create(String source, String table, int buckets, List<String> key, String... columns) {
    return tables.create(Definitions.define(source, table, buckets, key, columns));
  }

  LakeFixture tiering(LiveTable live) {
    return new LakeFixture(tables, lake, live);
  }

  TableWriter writer(LiveTable live) {
    return TableWriter.open(tables, live);
  }

  /** Appends a cut at the present end of the given tables. */
  Cut cut(CutLog log, long lsn, Instant time, LiveTable... moved) {
    Map<TableBucket, Long> ends = new HashMap<>();
    for (LiveTable live : moved) {
      tables
          .endOffsets(live.path(), live.definition().buckets())
          .forEach((bucket, end) -> ends.put(new TableBucket(live.tableId(), bucket), end));
    }
    Set<Long> ids =
        Stream.concat(
                ends.keySet().stream(),
                log.latest().stream().flatMap(cut -> cut.endOffsets().keySet().stream()))
            .map(TableBucket::getTableId)
            .collect(Collectors.toSet());
    return log.append(SourcePosition.ofLsn(lsn), time, ends, ids);
  }

  ReadPlan latest(LiveTable live) {
    return reader.plan(name(live), ReadPoint.latest());
  }

  static TableName name(LiveTable live) {
    return live.definition().name();
  }

  /** All rows at latest, each as its values with bars between. */
  List<String> read(LiveTable live) {
    return read(latest(live), ReadOptions.all());
  }

  List<String> read(ReadPlan plan, ReadOptions options) {
    List<String> rows = new ArrayList<>();
    try (UnionRows union = reader.read(plan, options)) {
      while (union.hasNext()) {
        rows.add(print(union.next()));
      }
    }
    return rows;
  }

  static String print(Record row) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < row.size(); i++) {
      values.add(String.valueOf(row.get(i)));
    }
    return String.join("|", values);
  }

  @Override
  public void close() throws IOException {
    reader.close();
    lake.close();
  }
}
