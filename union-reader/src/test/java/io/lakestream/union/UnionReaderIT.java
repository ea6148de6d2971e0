package io.lakestream.union;

import static org.apache.iceberg.expressions.Expressions.alwaysTrue;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.fixture.Definitions;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.fixture.TableWriter;
import io.lakestream.tables.lake.LakeConfig;
import io.lakestream.tables.lake.LakeTables;
import io.lakestream.union.plan.ReadPlan;
import io.lakestream.union.plan.ReadPoint;
import io.lakestream.union.read.ReadOptions;
import io.lakestream.union.read.UnionRows;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.data.Record;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(SharedFluss.class)
class UnionReaderIT {
  @TempDir Path folder;

  private final FlussTables tables = SharedFluss.tables();
  private LakeTables lake;
  private UnionReader reader;

  @BeforeEach
  void open() {
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

  @AfterEach
  void close() throws Exception {
    reader.close();
    lake.close();
  }

  private List<String> read(ReadPlan plan, ReadOptions options) {
    List<String> rows = new ArrayList<>();
    try (UnionRows union = reader.read(plan, options)) {
      while (union.hasNext()) {
        Record row = union.next();
        List<String> values = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
          values.add(String.valueOf(row.get(i)));
        }
        rows.add(String.join("|", values));
      }
    }
    return rows;
  }

  @Test
  void theTailUpdatesDeletesAndAddsToWhatIsInTheLake() {
    LiveTable live =
        tables.create(Definitions.define("f1", "t", 2, List.of("id"), "id bigint", "note string"));
    LakeFixture tiering = new LakeFixture(tables, lake, live);
    try (TableWriter writer = TableWriter.open(tables, live)) {
      for (long id = 0; id < 10; id++) {
        writer.upsert(id, "lake");
      }
      writer.flush();
      tiering.tier();
      writer.upsert(0L, "first").upsert(0L, "tail").upsert(1L, "tail").upsert(2L, "tail");
      writer.delete(3L).delete(4L);
      for (long id = 10; id < 14; id++) {
        writer.upsert(id, "new");
      }
      writer.flush();
    }
    ReadPlan plan = reader.plan(live.definition().name(), ReadPoint.latest());
    assertThat(plan.token().lakeSnapshotId()).isPresent();
    assertThat(read(plan, ReadOptions.all().withFilter(alwaysTrue())))
        .containsExactlyInAnyOrder(
            "0|tail", "1|tail", "2|tail", "5|lake", "6|lake", "7|lake", "8|lake", "9|lake",
            "10|new", "11|new", "12|new", "13|new");
    assertThat(reader.count(plan)).isEqualTo(12);
  }
}
