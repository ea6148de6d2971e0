package io.lakestream.tables.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.LogRangeReader;
import io.lakestream.tables.change.OffsetRange;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.fixture.Definitions;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.fixture.TableWriter;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.server.zk.data.ZkData;
import org.apache.fluss.types.DataTypes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedFluss.class)
class FlussTablesIT {
  private final FlussTables tables = SharedFluss.tables();

  private static TableDefinition orders(String source, int buckets) {
    return Definitions.define(
        source,
        "orders",
        buckets,
        List.of("id"),
        "id bigint",
        "total decimal(10,2)",
        "note string");
  }

  @Test
  void aCreatedTableIsFoundWithItsDefinitionAndCreatingItAgainChangesNothing() {
    TableDefinition definition = orders("create", 3);
    LiveTable created = tables.create(definition);
    assertThat(created.definition()).isEqualTo(definition);
    assertThat(created.buckets()).hasSize(3);
    assertThat(tables.create(definition)).isEqualTo(created);
    assertThat(tables.find(definition.name())).contains(created);
    assertThat(tables.list()).contains(created);
  }

  @Test
  void anotherDefinitionOfTheSameNameIsRefused() {
    tables.create(orders("refuse", 1));
    assertThatThrownBy(() -> tables.create(orders("refuse", 2)))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INCOMPATIBLE_DEFINITION))
        .hasMessageContaining("Take a new copy of the table");
  }

  @Test
  void aForeignTableIsNotListedAndItsNameIsRefused() {
    tables.ensureSystemTable(
        TablePath.of("foreign", "public__orders"),
        TableDescriptor.builder()
            .schema(Schema.newBuilder().column("a", DataTypes.INT()).build())
            .distributedBy(1)
            .build());
    assertThat(tables.find(new TableName("foreign", "public", "orders"))).isEmpty();
    assertThat(tables.list()).noneMatch(t -> t.definition().name().source().equals("foreign"));
    assertThatThrownBy(() -> tables.create(orders("foreign", 1)))
        .hasMessageContaining("it exists and is not a Lakestream table");
  }

  @Test
  void aNameThatWasNeverCreatedIsEmptyNotAnError() {
    assertThat(tables.find(new TableName("nowhere", "public", "t"))).isEmpty();
    tables.drop(new TableName("nowhere", "public", "t"));
    assertThat(tables.exists(TablePath.of("nowhere", "t"))).isFalse();
  }

  @Test
  void aTableThatIsCreatedAgainHasAnotherIdAndStartsAtOffsetZero() {
    LiveTable first = tables.create(orders("again", 1));
    try (TableWriter writer = TableWriter.open(tables, first)) {
      writer.upsert(1L, null, "x").flush();
    }
    tables.drop(first.definition().name());
    assertThat(tables.find(first.definition().name())).isEmpty();
    LiveTable second = tables.create(orders("again", 1));
    assertThat(second.tableId()).isNotEqualTo(first.tableId());
    assertThat(tables.endOffsets(second.path(), 1)).isEqualTo(Map.of(0, 0L));
    assertThat(tables.rowCount(second)).isZero();
  }

  @Test
  void aTableWhoseDropWasCutShortHidesNoOtherAndCanBeCreatedAgain() throws Exception {
    LiveTable whole = tables.create(orders("whole", 1));
    LiveTable half = tables.create(orders("halfdropped", 1));
    SharedFluss.zooKeeper()
        .getCuratorClient()
        .delete()
        .deletingChildrenIfNeeded()
        .forPath(ZkData.SchemasZNode.path(half.path()));

    assertThat(tables.list()).contains(whole).doesNotContain(half);
    assertThat(tables.find(half.definition().name())).isEmpty();
    LiveTable again = tables.create(orders("halfdropped", 1));
    assertThat(again.tableId()).isNotEqualTo(half.tableId());
    assertThat(tables.list()).contains(whole, again);
  }

  @Test
  void aTableWhoseCreationWasCutShortIsNamedWithTheWayOut() throws Exception {
    LiveTable whole = tables.create(orders("halfmade", 1));
    TableDefinition other =
        Definitions.define("halfmade", "parts", 1, List.of("id"), "id bigint", "note string");
    SharedFluss.zooKeeper()
        .registerFirstSchema(
            other.name().toFluss(), Schema.newBuilder().column("id", DataTypes.INT()).build());

    assertThat(tables.list()).contains(whole);
    assertThatThrownBy(() -> tables.create(other))
        .isInstanceOfSatisfying(
            LakestreamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FLUSS_FAILED))
        .hasMessageContaining("halfmade.public__parts")
        .hasMessageContaining("/fluss/metadata/databases/halfmade/tables/public__parts")
        .hasMessageNotContaining("MetadataManager");
    assertThat(tables.find(other.name())).isEmpty();
  }

  @Test
  void aCreationThatFindsAnotherOneHalfwayWaitsForIt() throws Exception {
    TableDefinition definition = orders("halfway", 1);
    tables.ensureDatabase("halfway");
    TablePath path = definition.name().toFluss();
    SharedFluss.zooKeeper()
        .registerFirstSchema(path, Schema.newBuilder().column("id", DataTypes.INT()).build());
    CompletableFuture<LiveTable> created =
        CompletableFuture.supplyAsync(() -> tables.create(definition));
    SharedFluss.zooKeeper()
        .getCuratorClient()
        .delete()
        .deletingChildrenIfNeeded()
        .forPath(ZkData.TableZNode.path(path));

    assertThat(created.get(60, TimeUnit.SECONDS).definition()).isEqualTo(definition);
  }

  @Test
  void aNewGenerationIsReadFromTheMomentItGoesLiveAndTheOldOneUntilThen() {
    TableDefinition old = orders("rebuilt", 1);
    TableDefinition other =
        Definitions.define("rebuilt", "orders", 1, List.of("id"), "id bigint", "total string");
    LiveTable first = tables.create(old);
    LiveTable second = tables.generations().create(other, 2, true);
    assertThat(second.path().getTableName()).isEqualTo("public__orders__2");
    assertThat(tables.find(old.name())).contains(first);
    assertThat(tables.list()).contains(first).doesNotContain(second);

    Cut cut =
        new Cut(
            "rebuilt",
            7,
            SourcePosition.ofLsn(77),
            Instant.parse("2024-05-06T07:08:09.123456Z"),
            Map.of(first.buckets().get(0), 5L));
    tables.generations().keepLastCut(first, cut);
    assertThat(tables.find(old.name()).orElseThrow().lastCut()).contains(cut);

    LiveTable live = tables.generations().goLive(second);
    assertThat(tables.find(old.name())).contains(live);
    assertThat(live.definition()).isEqualTo(other);
    assertThat(tables.list()).contains(live).doesNotContain(first);
    assertThat(tables.generations().of(old.name())).hasSize(2);
    tables.generations().drop(first);
    assertThat(tables.generations().of(old.name())).containsExactly(live);
    assertThat(tables.generations().empty(live).path()).isEqualTo(live.path());
    tables.drop(old.name());
    assertThat(tables.find(old.name())).isEmpty();
  }

  @Test
  @Timeout(90)
  void rowsThatAreUnsentWhenTheirTableIsDroppedHoldUpNobody() {
    LiveTable dropped = tables.create(orders("unsent", 1));
    LiveTable kept = tables.create(orders("kept", 1));
    try (TableWriter left = TableWriter.open(tables, dropped);
        TableWriter writer = TableWriter.open(tables, kept)) {
      for (long id = 0; id < 100_000; id++) {
        left.upsert(id, null, "left behind");
      }
      tables.drop(dropped.definition().name());
      writer.upsert(1L, null, "x").flush();
    }
    assertThat(tables.rowCount(kept)).isEqualTo(1);
  }

  @Test
  void columnsThatAreAddedAreNullInTheRowsThatAreThere() {
    LiveTable before = tables.create(orders("extended", 1));
    TableDefinition definition =
        Definitions.define(
            "extended",
            "orders",
            1,
            List.of("id"),
            "id bigint",
            "total decimal(10,2)",
            "note string",
            "more int",
            "last date");
    try (TableWriter writer = TableWriter.open(tables, before)) {
      writer.upsert(1L, null, "x").upsert(3L, null, "z").flush();
    }
    LiveTable after = tables.generations().extend(before, definition).orElseThrow();
    assertThat(after.definition()).isEqualTo(definition);
    assertThat(after.tableId()).isEqualTo(before.tableId());
    assertThat(after.schemaId()).isGreaterThan(before.schemaId());
    assertThat(tables.generations().extend(after, definition)).contains(after);
    try (TableWriter writer = TableWriter.open(tables, after)) {
      writer.upsert(2L, null, "y", 5, null).upsert(3L, null, "zz", 6, null).flush();
      writer.delete(1L).flush();
    }
    assertThat(tables.rowCount(after)).isEqualTo(2);
    assertThat(log(after, new int[] {0, 1, 2, 3, 4}))
        .containsExactly(
            "+I 1 x null", "+I 3 z null", "+I 2 y 5", "-U 3 z null", "+U 3 zz 6", "-D 1 x null");
    assertThat(log(after, new int[] {0, 2, 3})).isEqualTo(log(after, new int[] {0, 1, 2, 3, 4}));
  }

  private List<String> log(LiveTable live, int[] columns) {
    List<String> changes = new ArrayList<>();
    int text = columns.length == 3 ? 1 : 2;
    Table table = tables.openTable(live.path());
    try (LogRangeReader reader =
        LogRangeReader.open(
            table,
            Map.of(0, new OffsetRange(0, tables.endOffsets(live.path(), 1).get(0))),
            Duration.ofSeconds(20),
            columns)) {
      while (!reader.isFinished()) {
        for (ScanRecord change : reader.poll().getOrDefault(0, List.of())) {
          InternalRow row = change.getRow();
          changes.add(
              change.getChangeType().shortString()
                  + " "
                  + row.getLong(0)
                  + " "
                  + row.getString(text)
                  + " "
                  + (row.isNullAt(text + 1) ? null : row.getInt(text + 1)));
        }
      }
    } finally {
      FlussCalls.close(table, "the test's table");
    }
    return changes;
  }

  @Test
  void rowCountsStayExactThroughUpdatesDeletesAndDeletesOfAbsentKeys() {
    LiveTable live = tables.create(orders("count", 2));
    try (TableWriter writer = TableWriter.open(tables, live)) {
      for (long id = 0; id < 100; id++) {
        writer.upsert(id, null, "a");
      }
      writer.upsert(5L, null, "b").delete(6L).flush();
      writer.delete(1000L).flush();
    }
    assertThat(tables.rowCount(live)).isEqualTo(99);
    assertThat(tables.startOffsets(live.path(), 2)).isEqualTo(Map.of(0, 0L, 1, 0L));
    long changes = tables.endOffsets(live.path(), 2).values().stream().mapToLong(x -> x).sum();
    // 100 inserts, an update as two entries, a delete, and the empty batch of the absent key.
    assertThat(changes).isEqualTo(104);
  }
}
