package io.lakestream.tables.lake;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.DefinitionJson;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.fixture.Definitions;
import io.lakestream.tables.schema.TableDefinition;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LakeTablesIT {
  @TempDir Path folder;

  private LakeTables open() {
    return LakeTables.open(
        new LakeConfig(
            "jdbc:sqlite:" + folder.resolve("catalog.db") + "?busy_timeout=10000&journal_mode=WAL",
            folder.resolve("warehouse").toUri().toString(),
            Map.of()));
  }

  private static LiveTable live(TableDefinition definition, long tableId) {
    return new LiveTable(definition, definition.name().toFluss(), tableId, 1);
  }

  private static TableDefinition orders(String... columns) {
    return Definitions.define("lake", "Order Items", 2, List.of("id"), columns);
  }

  private static void append(Table table, TieredOffsets offsets) {
    AppendFiles append = table.newAppend();
    append.appendFile(
        DataFiles.builder(table.spec())
            .withPath(table.location() + "/data/" + offsets.roundId() + ".parquet")
            .withFormat(FileFormat.PARQUET)
            .withPartitionPath("__bucket=0")
            .withFileSizeInBytes(10)
            .withRecordCount(1)
            .build());
    offsets.toSummary().forEach(append::set);
    append.commit();
  }

  private static TieredOffsets offsets(long tableId, String round) {
    return new TieredOffsets(
        tableId,
        Map.of(0, 7L, 1, 1L << 40),
        OptionalLong.of(-5),
        3,
        round,
        Optional.of(
            new TieredOffsets.ReachedCut(
                9,
                SourcePosition.ofLsn(0xFFFFFFFF_00000001L),
                Instant.parse("2024-05-06T07:08:09.123456Z"))));
  }

  @Test
  void aNewTableHasTheLayoutOfItsDefinition() throws Exception {
    try (LakeTables lake = open()) {
      LiveTable live = live(orders("note string", "id bigint", "total decimal(10,2)"), 4);
      assertThat(lake.find(live.definition().name())).isEmpty();
      Table table = lake.ensure(live);
      assertThat(TableUtil.formatVersion(table)).isEqualTo(3);
      assertThat(table.schema().columns())
          .extracting(f -> f.fieldId() + " " + f.name() + " " + f.type() + " " + f.isRequired())
          .containsExactly(
              "1 note string false",
              "2 id long true",
              "3 total decimal(10, 2) false",
              "4 __bucket int true");
      assertThat(table.schema().identifierFieldNames()).containsExactly("id");
      assertThat(table.spec().fields())
          .extracting(PartitionField::name)
          .containsExactly("__bucket");
      assertThat(DefinitionJson.read(table.properties().get(LakeLayout.DEFINITION_PROPERTY)))
          .isEqualTo(live.definition());
      assertThat(LakeHead.find(table)).isEmpty();
      assertThat(lake.ensure(live).uuid()).isEqualTo(table.uuid());
    }
  }

  @Test
  void offsetsComeBackFromTheSummaryAsTheyWereCommitted() throws Exception {
    try (LakeTables lake = open()) {
      LiveTable live = live(orders("id bigint"), 4);
      Table table = lake.ensure(live);
      append(table, offsets(4, "r1"));
      table.newAppend().set("by", "another engine").commit();
      Table reloaded = lake.find(live.definition().name()).orElseThrow();
      LakeHead head = LakeHead.find(reloaded).orElseThrow();
      assertThat(head.offsets()).isEqualTo(offsets(4, "r1"));
      assertThat(head.offsets().endOffset(1)).isEqualTo(1L << 40);
      assertThat(head.offsets().endOffset(2)).isZero();
      assertThat(head.snapshot().snapshotId()).isEqualTo(reloaded.currentSnapshot().snapshotId());
      TieredOffsets bare =
          new TieredOffsets(1, Map.of(), OptionalLong.empty(), 0, "r", Optional.empty());
      assertThat(TieredOffsets.fromSummary(new HashMap<>(bare.toSummary()))).contains(bare);
    }
  }

  @Test
  void aTableThatFlussCreatedAgainReplacesTheOldRowsAndColumns() throws Exception {
    try (LakeTables lake = open()) {
      LiveTable first = live(orders("id bigint", "note string"), 4);
      Table old = lake.ensure(first);
      append(old, offsets(4, "r1"));
      LiveTable second = live(orders("note int", "id bigint", "more string"), 5);
      assertThat(LakeTables.holds(old, second)).isFalse();
      Table replaced = lake.ensure(second);
      assertThat(LakeTables.holds(replaced, second)).isTrue();
      assertThat(replaced.currentSnapshot()).isNull();
      assertThat(LakeHead.find(replaced)).isEmpty();
      assertThat(replaced.schema().columns())
          .extracting(f -> f.name() + " " + f.type())
          .containsExactly("note int", "id long", "more string", "__bucket int");
      assertThat(replaced.properties().get(LakeLayout.DEFINITION_PROPERTY))
          .isEqualTo(DefinitionJson.write(second.definition()));
      append(replaced, offsets(5, "r2"));
      assertThat(LakeHead.find(lake.ensure(second)).orElseThrow().offsets().tableId()).isEqualTo(5);
      assertThat(lake.find(first.definition().name()).orElseThrow().snapshots()).hasSize(2);
    }
  }

  @Test
  void theConfigurationNeverPrintsItsProperties() {
    LakeConfig config =
        new LakeConfig("jdbc:x?password=secret1", "file:/w", Map.of("jdbc.password", "secret2"));
    assertThat(config.toString()).contains("jdbc.password").doesNotContain("secret");
  }
}
