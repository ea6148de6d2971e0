package io.lakestream.tables.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.fixture.Definitions;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.fixture.TableWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedFluss.class)
class LogRangeReaderIT {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final FlussTables tables = SharedFluss.tables();

  private LiveTable create(String source, int buckets) {
    return tables.create(
        Definitions.define(source, "t", buckets, List.of("id"), "id bigint", "note string"));
  }

  private Map<Integer, List<Long>> read(LiveTable live, Map<Integer, OffsetRange> ranges) {
    Map<Integer, List<Long>> offsets = new TreeMap<>();
    try (LogRangeReader reader =
        LogRangeReader.open(tables.openTable(live.path()), ranges, PATIENCE)) {
      while (!reader.isFinished()) {
        reader
            .poll()
            .forEach(
                (bucket, changes) -> {
                  for (ScanRecord change : changes) {
                    offsets.computeIfAbsent(bucket, b -> new ArrayList<>()).add(change.logOffset());
                  }
                });
      }
      reader.verifyFinished();
    }
    return offsets;
  }

  @Test
  void aRangeWhoseLastOffsetsHoldNoRecordEnds() {
    LiveTable live = create("range_empty", 1);
    try (TableWriter writer = TableWriter.open(tables, live)) {
      writer.upsert(1L, "a").flush();
      writer.delete(99L).flush();
      writer.delete(98L).flush();
    }
    assertThat(tables.endOffsets(live.path(), 1)).isEqualTo(Map.of(0, 3L));
    assertThat(read(live, Map.of(0, new OffsetRange(0, 3)))).isEqualTo(Map.of(0, List.of(0L)));
    assertThat(read(live, Map.of(0, new OffsetRange(1, 2)))).isEmpty();
    assertThat(read(live, Map.of(0, new OffsetRange(2, 2)))).isEmpty();
  }

  @Test
  void aRangeEndsAtItsStopOffsetInsideABatchAndInEveryBucket() {
    LiveTable live = create("range_stop", 4);
    try (TableWriter writer = TableWriter.open(tables, live)) {
      for (long id = 0; id < 5_000; id++) {
        writer.upsert(id, "n");
      }
      writer.flush();
    }
    Map<Integer, OffsetRange> ranges = new TreeMap<>();
    for (int bucket = 0; bucket < 4; bucket++) {
      ranges.put(bucket, new OffsetRange(bucket, 700 + bucket));
    }
    Map<Integer, List<Long>> offsets = read(live, ranges);
    ranges.forEach(
        (bucket, range) -> {
          assertThat(offsets.get(bucket)).hasSize(700).isSorted();
          assertThat(offsets.get(bucket).get(0)).isEqualTo(range.start());
        });
  }

  @Test
  void anOffsetThatTheLogDoesNotHaveIsTruncatedLog() {
    LiveTable live = create("range_gone", 1);
    try (TableWriter writer = TableWriter.open(tables, live)) {
      writer.upsert(1L, "a").flush();
    }
    assertThatThrownBy(() -> read(live, Map.of(0, new OffsetRange(50, 60))))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.LOG_TRUNCATED));
  }

  @Test
  void aStopThatTheLogNeverReachesFailsAfterThePatience() {
    LiveTable live = create("range_silent", 1);
    try (TableWriter writer = TableWriter.open(tables, live)) {
      writer.upsert(1L, "a").flush();
    }
    try (LogRangeReader reader =
        LogRangeReader.open(
            tables.openTable(live.path()),
            Map.of(0, new OffsetRange(0, 5)),
            Duration.ofMillis(300))) {
      assertThat(reader.poll().get(0)).hasSize(1);
      assertThatThrownBy(reader::poll)
          .isInstanceOfSatisfying(
              LakestreamException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.FLUSS_FAILED))
          .hasMessageContaining("buckets [0] unfinished");
    }
  }
}
