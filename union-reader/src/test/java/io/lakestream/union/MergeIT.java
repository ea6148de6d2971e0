package io.lakestream.union;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.fixture.TableWriter;
import io.lakestream.union.plan.ReadPlan;
import io.lakestream.union.read.ReadOptions;
import io.lakestream.union.read.UnionRows;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a read gives: lake and tail as one state. */
@ExtendWith(SharedFluss.class)
class MergeIT {
  @TempDir Path folder;
  private UnionView view;

  @BeforeEach
  void open() {
    view = new UnionView(folder);
  }

  @AfterEach
  void close() throws Exception {
    view.close();
  }

  @Test
  void theTailUpdatesDeletesAndAddsToWhatIsInTheLake() {
    LiveTable live = view.create("m_f1", 2, List.of("id"), "id bigint", "note string");
    try (TableWriter writer = view.writer(live)) {
      for (long id = 0; id < 10; id++) {
        writer.upsert(id, "lake");
      }
      writer.flush();
      view.tiering(live).tier();
      writer.upsert(0L, "first").upsert(0L, "tail").upsert(1L, "tail").upsert(2L, "tail");
      writer.delete(3L).delete(4L);
      for (long id = 10; id < 14; id++) {
        writer.upsert(id, "new");
      }
      writer.flush();
    }
    ReadPlan plan = view.latest(live);
    assertThat(plan.token().lakeSnapshotId()).isPresent();
    assertThat(view.read(plan, ReadOptions.all()))
        .containsExactlyInAnyOrder(
            "0|tail", "1|tail", "2|tail", "5|lake", "6|lake", "7|lake", "8|lake", "9|lake",
            "10|new", "11|new", "12|new", "13|new");
    assertThat(view.reader.count(plan)).isEqualTo(12);
  }

  @Test
  void aDeleteAndAnInsertOfOneKeyInTheTailLeavesTheInsertedRow() {
    LiveTable live = view.create("m_again", 1, List.of("id"), "id bigint", "note string");
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(1L, "a").upsert(2L, "a").flush();
      view.tiering(live).tier();
      writer.delete(1L).upsert(1L, "b").delete(2L).upsert(2L, "b").delete(2L).flush();
    }
    assertThat(view.read(live)).containsExactly("1|b");
    assertThat(view.reader.count(view.latest(live))).isEqualTo(1);
  }

  @Test
  void everyKeyTypeMergesAndTheKeyNeedsNotBeInTheResult() {
    LiveTable live =
        view.create("m_f3", 4, List.of("z"), "note string", "z timestamp_ltz", "v int");
    OffsetDateTime start = OffsetDateTime.parse("1969-12-31T23:59:59.999999Z");
    try (TableWriter writer = view.writer(live)) {
      for (int i = 0; i < 40; i++) {
        writer.upsert("lake", start.plusNanos(i * 1000L), i);
      }
      writer.flush();
      view.tiering(live).tier();
      for (int i = 0; i < 10; i++) {
        writer.upsert("tail", start.plusNanos(i * 1000L), i);
      }
      writer.delete(start.plusNanos(39_000)).flush();
    }
    List<String> notes = view.read(view.latest(live), ReadOptions.all().withColumns("note"));
    assertThat(notes).hasSize(39);
    assertThat(notes.stream().filter("tail"::equals)).hasSize(10);
    assertThat(view.read(view.latest(live), ReadOptions.all().withColumns("v", "note")))
        .hasSize(39)
        .contains("9|tail", "10|lake", "38|lake")
        .doesNotContain("39|lake", "9|lake");
  }

  @Test
  void aCompositeKeyInAnotherOrderThanTheColumnsMerges() {
    LiveTable live = view.create("m_b7", 4, List.of("c", "a"), "a int", "b string", "c string");
    try (TableWriter writer = view.writer(live)) {
      for (int i = 0; i < 20; i++) {
        writer.upsert(i, "lake", "c" + i % 3).upsert(i, "lake", "d");
      }
      writer.flush();
      view.tiering(live).tier();
      writer.upsert(1, "tail", "c1").delete("d", 2).delete("c9", 3).flush();
    }
    List<String> rows = view.read(live);
    assertThat(rows)
        .hasSize(39)
        .contains("1|tail|c1", "1|lake|d", "2|lake|c2")
        .doesNotContain("1|lake|c1", "2|lake|d");
    assertThat(view.read(view.latest(live), ReadOptions.all().withColumns("b"))).hasSize(39);
  }

  @Test
  void everyTypeReadsTheSameFromTheLakeAndFromTheTail() {
    LiveTable live =
        view.create(
            "m_types",
            1,
            List.of("id"),
            "id bigint",
            "b boolean",
            "s smallint",
            "i int",
            "f float",
            "d double",
            "p decimal(12,2)",
            "q decimal(38,10)",
            "t string",
            "y bytes",
            "a date",
            "m timestamp",
            "z timestamp_ltz");
    Object[] values = {
      true,
      -7,
      1 << 30,
      -0.5f,
      Double.NaN,
      new BigDecimal("-1.90"),
      new BigDecimal("1234567890123456789012345678.0123456789"),
      "é😀",
      ByteBuffer.wrap(new byte[] {0, -1}),
      LocalDate.of(1500, 3, 1),
      LocalDateTime.parse("1500-03-01T23:59:59.999999"),
      OffsetDateTime.parse("1969-12-31T23:59:59.000001Z")
    };
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(row(1L, values)).upsert(row(2L, new Object[12])).flush();
      view.tiering(live).tier();
      writer.upsert(row(3L, values)).upsert(row(4L, new Object[12])).flush();
    }
    ReadPlan plan = view.latest(live);
    Map<Object, List<Object>> byId = new HashMap<>();
    try (UnionRows rows = view.reader.read(plan, ReadOptions.all())) {
      rows.forEachRemaining(
          r ->
              byId.put(
                  r.get(0),
                  java.util.Arrays.asList(
                      java.util.stream.IntStream.range(1, 13).mapToObj(r::get).toArray())));
    }
    assertThat(byId.get(1L)).containsExactly(values).isEqualTo(byId.get(3L));
    assertThat(byId.get(2L)).containsOnlyNulls().isEqualTo(byId.get(4L));
  }

  private static Object[] row(long id, Object[] values) {
    Object[] row = new Object[values.length + 1];
    row[0] = id;
    System.arraycopy(values, 0, row, 1, values.length);
    return row;
  }

  @Test
  void anEmptyTableHasItsSchemaAndNoRows() {
    LiveTable live = view.create("m_f7a", 2, List.of("id"), "note string", "id bigint");
    try (UnionRows rows = view.reader.read(view.latest(live), ReadOptions.all())) {
      assertThat(rows.schema().columns())
          .extracting(Types.NestedField::name)
          .containsExactly("note", "id");
      assertThat(rows.hasNext()).isFalse();
      assertThatThrownBy(rows::next).isInstanceOf(java.util.NoSuchElementException.class);
    }
    assertThat(view.reader.count(view.latest(live))).isZero();
  }

  @Test
  void withoutALakeTheTailIsTheTable() {
    LiveTable live = view.create("m_f7b", 2, List.of("id"), "id bigint", "note string");
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(1L, "a").upsert(2L, "a").upsert(3L, "a").upsert(2L, "b").flush();
    }
    ReadPlan plan = view.latest(live);
    assertThat(plan.token().lakeSnapshotId()).isEmpty();
    assertThat(view.read(plan, ReadOptions.all())).containsExactlyInAnyOrder("1|a", "2|b", "3|a");
    assertThat(view.reader.count(plan)).isEqualTo(3);
  }

  @Test
  void rowsThatAreDeletedAfterTieringAreGoneInTheTailAndInTheLake() {
    LiveTable live = view.create("m_f7c", 2, List.of("id"), "id bigint", "note string");
    LakeFixture tiering = view.tiering(live);
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(1L, "a").upsert(2L, "a").upsert(3L, "a").flush();
      tiering.tier();
      writer.delete(1L).delete(2L).delete(3L).flush();
    }
    assertThat(view.read(live)).isEmpty();
    assertThat(view.reader.count(view.latest(live))).isZero();
    tiering.tier();
    assertThat(view.latest(live).tailEntries()).isZero();
    assertThat(view.read(live)).isEmpty();
    assertThat(view.reader.count(view.latest(live))).isZero();
    try (UnionRows rows = view.reader.read(view.latest(live), ReadOptions.all())) {
      assertThat(rows.schema().columns()).hasSize(2);
    }
  }

  @Test
  void aTailThatEndsWithTheDeleteOfAnAbsentKeyEnds() {
    LiveTable live = view.create("m_e8", 1, List.of("id"), "id bigint", "note string");
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(1L, "a").flush();
      view.tiering(live).tier();
      writer.upsert(2L, "b").flush();
      writer.delete(99L).flush();
      writer.delete(98L).flush();
    }
    assertThat(view.latest(live).tailEntries()).isEqualTo(3);
    assertThat(view.read(live)).containsExactlyInAnyOrder("1|a", "2|b");
    assertThat(view.reader.count(view.latest(live))).isEqualTo(2);
  }

  @Test
  void randomChangesInManyRoundsReadAsTheSourceHasThem() {
    LiveTable live = view.create("m_random", 4, List.of("id"), "id int", "v bigint");
    LakeFixture tiering = view.tiering(live);
    Random random = new Random(11);
    Map<Integer, Long> source = new HashMap<>();
    try (TableWriter writer = view.writer(live)) {
      for (int round = 0; round < 6; round++) {
        for (int change = 0; change < 800; change++) {
          int id = random.nextInt(400);
          if (random.nextInt(3) == 0) {
            writer.delete(id);
            source.remove(id);
          } else {
            long value = random.nextLong();
            writer.upsert(id, value);
            source.put(id, value);
          }
        }
        writer.flush();
        List<String> expected =
            source.entrySet().stream().map(e -> e.getKey() + "|" + e.getValue()).sorted().toList();
        assertThat(view.read(live).stream().sorted(Comparator.naturalOrder()).toList())
            .isEqualTo(expected);
        assertThat(view.reader.count(view.latest(live))).isEqualTo(expected.size());
        if (round % 2 == 0) {
          tiering.tier();
          assertThat(view.read(live).stream().sorted().toList()).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void aLimitStopsEarlyWhereverTheRowsAre() {
    LiveTable live = view.create("m_limit", 2, List.of("id"), "id bigint", "note string");
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(1L, "a").upsert(2L, "a").upsert(3L, "a").flush();
      view.tiering(live).tier();
      writer.upsert(4L, "b").upsert(5L, "b").flush();
    }
    ReadPlan plan = view.latest(live);
    assertThat(view.read(plan, ReadOptions.all().withLimit(0))).isEmpty();
    assertThat(view.read(plan, ReadOptions.all().withLimit(2))).hasSize(2);
    assertThat(view.read(plan, ReadOptions.all().withLimit(4))).hasSize(4).contains("1|a", "3|a");
    assertThat(view.read(plan, ReadOptions.all().withLimit(100))).hasSize(5);
  }

  @Test
  void rowsThatAreClosedEarlyGiveNoMore() {
    LiveTable live = view.create("m_close", 1, List.of("id"), "id bigint", "note string");
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(1L, "a").upsert(2L, "a").flush();
      view.tiering(live).tier();
      writer.upsert(3L, "b").flush();
    }
    UnionRows rows = view.reader.read(view.latest(live), ReadOptions.all());
    rows.next();
    rows.close();
    rows.close();
    assertThat(rows.hasNext()).isFalse();
    view.reader.read(view.latest(live), ReadOptions.all()).close();
  }

  @Test
  void aTailBeyondItsMemoryFailsTheReadAndSaysTheWayOut() {
    LiveTable live = view.create("m_memory", 1, List.of("id"), "id bigint", "note string");
    try (TableWriter writer = view.writer(live)) {
      for (long id = 0; id < 100; id++) {
        writer.upsert(id, "x".repeat(1_000));
      }
      writer.flush();
    }
    ReadPlan plan = view.latest(live);
    assertThatThrownBy(() -> view.read(plan, ReadOptions.all().withTailMemoryBytes(100_000)))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.TAIL_TOO_LARGE))
        .hasMessageContaining("Read again when the lake has caught up");
    assertThat(view.read(plan, ReadOptions.all().withColumns("id").withTailMemoryBytes(100_000)))
        .hasSize(100);
  }

  @Test
  void anUnknownColumnOrTableIsNamed() {
    LiveTable live = view.create("m_unknown", 1, List.of("id"), "id bigint", "note string");
    assertThatThrownBy(() -> view.read(view.latest(live), ReadOptions.all().withColumns("Note")))
        .hasMessage("Table public.t has no column 'Note' (columns: id, note)");
    assertThatThrownBy(() -> ReadOptions.all().withColumns("id", "id"))
        .hasMessageContaining("each at most once");
    view.tables.drop(UnionView.name(live));
    assertThatThrownBy(() -> view.latest(live))
        .isInstanceOfSatisfying(
            LakestreamException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_TABLE))
        .hasMessageContaining("public.t");
  }
}
