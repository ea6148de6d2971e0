package io.lakestream.union;

import static org.apache.iceberg.expressions.Expressions.and;
import static org.apache.iceberg.expressions.Expressions.equal;
import static org.apache.iceberg.expressions.Expressions.greaterThan;
import static org.apache.iceberg.expressions.Expressions.greaterThanOrEqual;
import static org.apache.iceberg.expressions.Expressions.in;
import static org.apache.iceberg.expressions.Expressions.isNaN;
import static org.apache.iceberg.expressions.Expressions.isNull;
import static org.apache.iceberg.expressions.Expressions.lessThan;
import static org.apache.iceberg.expressions.Expressions.lessThanOrEqual;
import static org.apache.iceberg.expressions.Expressions.not;
import static org.apache.iceberg.expressions.Expressions.notEqual;
import static org.apache.iceberg.expressions.Expressions.notIn;
import static org.apache.iceberg.expressions.Expressions.or;
import static org.apache.iceberg.expressions.Expressions.startsWith;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.fixture.TableWriter;
import io.lakestream.union.read.ReadOptions;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.List;
import org.apache.iceberg.expressions.Expression;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A filter means the same for a lake row and a tail row: what SQL means. */
@ExtendWith(SharedFluss.class)
class FilterIT {
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

  private List<String> ids(LiveTable live, Expression filter) {
    return view
        .read(view.latest(live), ReadOptions.all().withColumns("id").withFilter(filter))
        .stream()
        .sorted()
        .toList();
  }

  @Test
  void aRowThatMatchesInOnlyOneOfLakeAndTailFollowsTheTail() {
    LiveTable live = view.create("f_tail", 2, List.of("id"), "id int", "v int", "note string");
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(1, 10, "a").upsert(2, 20, "a").upsert(3, 30, "a").upsert(4, 40, "a").flush();
      view.tiering(live).tier();
      writer.upsert(1, 100, "b").upsert(4, 4, "b").upsert(5, 50, "b").delete(3).flush();
    }
    assertThat(ids(live, lessThan("v", 35))).containsExactly("2", "4");
    assertThat(ids(live, greaterThan("v", 35))).containsExactly("1", "5");
    assertThat(ids(live, equal("id", 3))).isEmpty();
    assertThat(ids(live, in("id", 1, 2, 3))).containsExactly("1", "2");
    assertThat(ids(live, and(equal("note", "a"), lessThan("v", 35)))).containsExactly("2");
    assertThat(ids(live, startsWith("note", "b"))).containsExactly("1", "4", "5");
    assertThat(
            view.read(
                view.latest(live),
                ReadOptions.all().withColumns("note", "v").withFilter(lessThan("v", 35))))
        .containsExactlyInAnyOrder("a|20", "b|4");
  }

  @Test
  void aComparisonWithNullKeepsNoRowInLakeAndTail() {
    LiveTable live = view.create("f_null", 1, List.of("id"), "id int", "v int");
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(1, null).upsert(2, 2).flush();
      view.tiering(live).tier();
      writer.upsert(3, null).upsert(4, 4).flush();
    }
    assertThat(ids(live, lessThan("v", 100))).containsExactly("2", "4");
    assertThat(ids(live, not(lessThan("v", 3)))).containsExactly("4");
    assertThat(ids(live, not(greaterThan("v", 3)))).containsExactly("2");
    assertThat(ids(live, notEqual("v", 2))).containsExactly("4");
    assertThat(ids(live, notIn("v", 2, 7))).containsExactly("4");
    assertThat(ids(live, isNull("v"))).containsExactly("1", "3");
    assertThat(ids(live, or(isNull("v"), equal("v", 4)))).containsExactly("1", "3", "4");
    assertThat(ids(live, not(isNull("v")))).containsExactly("2", "4");
    assertThat(ids(live, not(and(greaterThan("v", 3), equal("id", 4)))))
        .containsExactly("1", "2", "3");
  }

  @Test
  void notANumberIsGreaterThanEveryNumberAndZeroHasNoSignInLakeAndTail() {
    LiveTable live = view.create("f_nan", 1, List.of("id"), "id int", "v double", "w float");
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(1, Double.NaN, Float.NaN).upsert(2, 2.0, 2f).upsert(3, -0.0, -0f).flush();
      view.tiering(live).tier();
      writer.upsert(4, Double.NaN, Float.NaN).upsert(5, 5.0, 5f).upsert(6, -0.0, -0f).flush();
    }
    for (String column : List.of("v", "w")) {
      assertThat(ids(live, greaterThan(column, 3.0))).containsExactly("1", "4", "5");
      assertThat(ids(live, lessThan(column, 3.0))).containsExactly("2", "3", "6");
      assertThat(ids(live, isNaN(column))).containsExactly("1", "4");
      assertThat(ids(live, equal(column, 0.0))).containsExactly("3", "6");
      assertThat(ids(live, notEqual(column, 0.0))).containsExactly("1", "2", "4", "5");
      assertThat(ids(live, in(column, 0.0, 2.0))).containsExactly("2", "3", "6");
      assertThat(ids(live, notIn(column, 0.0, 2.0))).containsExactly("1", "4", "5");
      assertThat(ids(live, lessThan(column, 0.0))).isEmpty();
      assertThat(ids(live, lessThanOrEqual(column, -0.0))).containsExactly("3", "6");
      assertThat(ids(live, greaterThan(column, -0.0))).containsExactly("1", "2", "4", "5");
      assertThat(ids(live, greaterThanOrEqual(column, 0.0)))
          .containsExactly("1", "2", "3", "4", "5", "6");
    }
  }

  @Test
  void timestampsCompareAsInstantsWithTheirMicroseconds() {
    LiveTable live = view.create("f_time", 1, List.of("id"), "id int", "z timestamp_ltz");
    OffsetDateTime time = OffsetDateTime.parse("2024-05-06T07:08:09.000001Z");
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(1, time).upsert(2, time.plusNanos(1000)).flush();
      view.tiering(live).tier();
      writer.upsert(3, time).upsert(4, time.plusNanos(1000)).flush();
    }
    assertThat(ids(live, lessThanOrEqual("z", "2024-05-06T09:08:09.000001+02:00")))
        .containsExactly("1", "3");
    assertThat(ids(live, greaterThan("z", "2024-05-06T07:08:09.000001+00:00")))
        .containsExactly("2", "4");
  }

  @Test
  void aFilterThatCannotBeEvaluatedIsRefused() {
    LiveTable live = view.create("f_refused", 1, List.of("id"), "id int", "note string");
    for (Expression filter : List.of(equal("nope", 1), equal("__bucket", 0), equal("id", "x"))) {
      assertThatThrownBy(() -> ids(live, filter))
          .isInstanceOfSatisfying(
              LakestreamException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    }
  }
}
