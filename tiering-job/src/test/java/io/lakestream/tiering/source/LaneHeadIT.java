package io.lakestream.tiering.source;

import static io.lakestream.tables.fixture.Definitions.define;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.lake.TieredOffsets;
import io.lakestream.tiering.TableModel;
import io.lakestream.tiering.TieringRig;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.RowDelta;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(SharedFluss.class)
class LaneHeadIT {
  @TempDir private Path folder;

  @Test
  void aLogThatDoesNotGoOnWhereTheLakeEndsStopsTheTable() throws Exception {
    try (TieringRig rig = TieringRig.open(folder);
        TableModel model = TableModel.create(define("heads", "t", 1, List.of("id"), "id bigint"))) {
      model.upsert(1L).flush();
      RowDelta delta = rig.lake().ensure(model.table()).newRowDelta();
      new TieredOffsets(
              model.table().tableId(),
              Map.of(0, 1000L),
              OptionalLong.empty(),
              1,
              "round-1",
              Optional.empty())
          .toSummary()
          .forEach(delta::set);
      delta.commit();

      assertThatExceptionOfType(LakestreamException.class)
          .isThrownBy(() -> LaneHead.open(SharedFluss.tables(), rig.lake(), model.table()))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.LOG_TRUNCATED))
          .withMessageContaining("the lake ends at offset 1000 of bucket 0")
          .withMessageContaining("take a new copy of the table");
    }
  }

  @Test
  void aTableThatIsGoneFromFlussNeverReplacesTheLakeTable() throws Exception {
    try (TieringRig rig = TieringRig.open(folder)) {
      TableModel first = TableModel.create(define("heads", "gone", 1, List.of("id"), "id bigint"));
      first.drop();
      first.close();
      try (TableModel second =
          TableModel.create(define("heads", "gone", 1, List.of("id"), "id bigint"))) {
        LaneHead.open(SharedFluss.tables(), rig.lake(), second.table());

        assertThatExceptionOfType(LakestreamException.class)
            .isThrownBy(() -> LaneHead.open(SharedFluss.tables(), rig.lake(), first.table()))
            .withMessageContaining("is gone from Fluss");
      }
    }
  }
}
