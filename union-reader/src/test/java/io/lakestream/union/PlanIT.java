package io.lakestream.union;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.fixture.TableWriter;
import io.lakestream.tables.lake.TieredOffsets;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.CutLog;
import io.lakestream.union.plan.ReadPlan;
import io.lakestream.union.plan.ReadPoint;
import io.lakestream.union.plan.ReadToken;
import io.lakestream.union.read.ReadOptions;
import io.lakestream.union.read.UnionRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.Snapshot;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Which state a read gives, and when it says that it cannot. */
@ExtendWith(SharedFluss.class)
class PlanIT {
  private static final Instant TIME = Instant.parse("2024-05-06T07:08:09Z");

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

  private LiveTable create(String source, String table) {
    return view.create(source, table, 2, List.of("id"), "id bigint", "v bigint");
  }

  private static void assertFails(ErrorCode code, String message, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            LakestreamException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  @Test
  void whatIsCommittedAfterThePlanDoesNotChangeTheRead() {
    LiveTable live = create("p_f4", "t");
    LakeFixture tiering = view.tiering(live);
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(1L, 1L).upsert(2L, 1L).flush();
      tiering.tier();
      writer.upsert(2L, 2L).upsert(3L, 2L).flush();
      ReadPlan plan = view.latest(live);
      UnionRows open = view.reader.read(plan, ReadOptions.all());
      String first = UnionView.print(open.next());
      writer.delete(1L).upsert(2L, 3L).flush();
      tiering.tier();
      writer.upsert(4L, 4L).delete(3L).flush();
      tiering.tier();
      assertThat(view.read(plan, ReadOptions.all()))
          .containsExactlyInAnyOrder("1|1", "2|2", "3|2")
          .contains(first);
      assertThat(view.reader.count(plan)).isEqualTo(3);
      assertThat(open).toIterable().hasSize(2);
    }
    assertThat(view.read(live)).containsExactlyInAnyOrder("2|3", "4|4");
  }

  @Test
  void aReadAtACutShowsWholeTransactionsAcrossTables() {
    LiveTable a = create("p_cut", "a");
    LiveTable b = create("p_cut", "b");
    try (CutLog log = CutLog.open(view.tables, "p_cut");
        TableWriter toA = view.writer(a);
        TableWriter toB = view.writer(b)) {
      toA.upsert(1L, 100L).flush();
      toB.upsert(1L, 0L).flush();
      Cut first = view.cut(log, 10, TIME, a, b);
      view.tiering(a).tier(first);
      toA.upsert(1L, 70L).flush();
      toB.upsert(1L, 30L).flush();
      view.cut(log, 20, TIME, a, b);
      toA.upsert(1L, 50L).flush(); // half of the next transfer
      Map<TableName, ReadPlan> plans =
          view.reader.plan(List.of(UnionView.name(a), UnionView.name(b)), ReadPoint.latestCut());
      ReadPlan ofA = plans.get(UnionView.name(a));
      ReadPlan ofB = plans.get(UnionView.name(b));
      assertThat(ofA.cut().orElseThrow()).isSameAs(ofB.cut().orElseThrow());
      assertThat(view.read(ofA, ReadOptions.all())).containsExactly("1|70");
      assertThat(view.read(ofB, ReadOptions.all())).containsExactly("1|30");
      assertThat(
              view.read(
                  view.reader.plan(UnionView.name(b), ReadPoint.at(first)), ReadOptions.all()))
          .containsExactly("1|0");
      Map<TableName, ReadPlan> latest =
          view.reader.plan(List.of(UnionView.name(a), UnionView.name(b)), ReadPoint.latest());
      assertThat(latest.values()).allMatch(plan -> plan.cut().isEmpty());
      assertThat(view.read(a)).containsExactly("1|50");
    }
  }

  @Test
  void aTableThatIsBeingRebuiltIsReadAtItsLastCutUntilTheNewOneIsWhole() {
    LiveTable old = create("p_older", "t");
    LiveTable other = create("p_older", "other");
    TableName name = UnionView.name(old);
    try (CutLog log = CutLog.open(view.tables, "p_older");
        TableWriter writer = view.writer(old)) {
      writer.upsert(1L, 1L).upsert(2L, 1L).flush();
      Cut last = view.cut(log, 10, TIME, old, other);
      writer.upsert(1L, 2L).flush(); // part of a transaction that goes on elsewhere
      view.tables.generations().keepLastCut(old, last);
      log.append(SourcePosition.ofLsn(20), TIME, Map.of(), Set.of(other.tableId()));
      ReadPlan older = view.reader.plan(name, ReadPoint.latestCut());
      assertThat(older.isOlder()).isTrue();
      assertThat(older.cut().orElseThrow().position()).isEqualTo(last.position());
      assertThat(view.read(older, ReadOptions.all())).containsExactlyInAnyOrder("1|1", "2|1");
      assertThat(view.reader.plan(UnionView.name(other), ReadPoint.latestCut()).isOlder())
          .isFalse();
      assertFails(
          ErrorCode.POSITION_NOT_COVERED,
          "what it holds is from position 0/A",
          () -> view.reader.plan(List.of(name), ReadPoint.latestCut()));
      assertFails(
          ErrorCode.POSITION_NOT_COVERED,
          "what it holds is from position 0/A",
          () -> view.reader.plan(name, ReadPoint.at(SourcePosition.ofLsn(20))));

      LiveTable copied = view.tables.generations().create(old.definition(), 2, true);
      try (TableWriter copy = view.writer(copied)) {
        copy.upsert(1L, 2L).flush();
      }
      assertThat(view.read(view.reader.plan(name, ReadPoint.latestCut()), ReadOptions.all()))
          .hasSize(2);
      view.cut(log, 30, TIME, copied);
      assertThat(view.reader.plan(name, ReadPoint.latestCut()).isOlder()).isTrue();
      view.tables.generations().goLive(copied);
      ReadPlan newer = view.reader.plan(name, ReadPoint.latestCut());
      assertThat(newer.isOlder()).isFalse();
      assertThat(view.read(newer, ReadOptions.all())).containsExactly("1|2");
    }
  }

  @Test
  void anEarlierPositionReadsAnOlderLakeSnapshot() {
    LiveTable live = create("p_at", "t");
    LakeFixture tiering = view.tiering(live);
    try (CutLog log = CutLog.open(view.tables, "p_at");
        TableWriter writer = view.writer(live)) {
      writer.upsert(1L, 1L).flush();
      Snapshot first = tiering.tier(view.cut(log, 10, TIME, live));
      writer.upsert(1L, 2L).flush();
      view.cut(log, 20, TIME, live);
      writer.upsert(1L, 3L).upsert(2L, 3L).flush();
      LiveTable other = create("p_at", "never_moved");
      Snapshot last = tiering.tier(view.cut(log, 30, TIME, live, other));

      ReadPlan at25 =
          view.reader.plan(UnionView.name(live), ReadPoint.at(SourcePosition.ofLsn(25)));
      assertThat(at25.token().lakeSnapshotId()).hasValue(first.snapshotId());
      assertThat(at25.cut().orElseThrow().position()).isEqualTo(SourcePosition.ofLsn(20));
      assertThat(view.read(at25, ReadOptions.all())).containsExactly("1|2");
      assertThat(view.reader.count(at25)).isEqualTo(1);

      ReadPlan at30 =
          view.reader.plan(UnionView.name(live), ReadPoint.at(SourcePosition.ofLsn(30)));
      assertThat(at30.token().lakeSnapshotId()).hasValue(last.snapshotId());
      assertThat(at30.tailEntries()).isZero();
      assertThat(view.read(at30, ReadOptions.all())).containsExactlyInAnyOrder("1|3", "2|3");

      // Before the first lake snapshot: the log still starts at 0, so it is enough.
      ReadPlan empty = view.reader.plan(UnionView.name(other), ReadPoint.latestCut());
      assertThat(view.read(empty, ReadOptions.all())).isEmpty();
      // At an earlier cut it has no place: it was still copied then, for all that the cut tells.
      assertFails(
          ErrorCode.POSITION_NOT_COVERED,
          "Cannot read table public.never_moved at position 0/14: it is not whole there",
          () -> view.reader.plan(UnionView.name(other), ReadPoint.at(SourcePosition.ofLsn(25))));

      assertFails(
          ErrorCode.POSITION_NOT_COVERED,
          "at position 0/1F: the view reaches 0/1E. Wait until it is covered (lakestream wait",
          () -> view.reader.plan(UnionView.name(live), ReadPoint.at(SourcePosition.ofLsn(31))));
      assertFails(
          ErrorCode.POSITION_TOO_OLD,
          "at position 0/9: no cut that old is kept",
          () -> view.reader.plan(UnionView.name(live), ReadPoint.at(SourcePosition.ofLsn(9))));
    }
  }

  @Test
  void aPositionBeforeTheFirstLakeSnapshotReadsTheLogFromItsStart() {
    LiveTable live = create("p_before", "t");
    try (CutLog log = CutLog.open(view.tables, "p_before");
        TableWriter writer = view.writer(live)) {
      writer.upsert(1L, 1L).flush();
      view.cut(log, 10, TIME, live);
      writer.upsert(1L, 2L).flush();
      view.tiering(live).tier(view.cut(log, 20, TIME, live));
    }
    ReadPlan plan = view.reader.plan(UnionView.name(live), ReadPoint.at(SourcePosition.ofLsn(10)));
    assertThat(plan.token().lakeSnapshotId()).isEmpty();
    assertThat(view.read(plan, ReadOptions.all())).containsExactly("1|1");
  }

  @Test
  void aSourceWithoutACutReadsAtLatestOnly() {
    LiveTable live = create("p_nocut", "t");
    assertFails(
        ErrorCode.POSITION_NOT_COVERED,
        "it has none yet, because its first copy is not complete",
        () -> view.reader.plan(UnionView.name(live), ReadPoint.latestCut()));
    assertThat(view.reader.newestCut("p_nocut")).isEmpty();
    assertThat(view.read(live)).isEmpty();
  }

  @Test
  void tablesOfTwoSourcesHaveNoCutInCommon() {
    LiveTable a = create("p_two_a", "t");
    LiveTable b = create("p_two_b", "t");
    List<TableName> names = List.of(UnionView.name(a), UnionView.name(b));
    assertFails(
        ErrorCode.INVALID_ARGUMENT,
        "each source has cuts of its own",
        () -> view.reader.plan(names, ReadPoint.latestCut()));
    assertThat(view.reader.plan(names, ReadPoint.latest())).hasSize(2);
    Cut ofA = new Cut("p_two_a", 0, SourcePosition.ofLsn(1), TIME, Map.of());
    assertFails(
        ErrorCode.INVALID_ARGUMENT,
        "Use a cut of its own source",
        () -> view.reader.plan(UnionView.name(b), ReadPoint.at(ofA)));
  }

  @Test
  void aForeignCommitOnTopOfOursIsReadWithOurOffsets() {
    LiveTable live = create("p_foreign", "t");
    LakeFixture tiering = view.tiering(live);
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(1L, 1L).flush();
      tiering.tier();
      tiering.table().newAppend().set("by", "another engine").commit();
      writer.upsert(2L, 2L).flush();
    }
    ReadPlan plan = view.latest(live);
    assertThat(plan.token().lakeSnapshotId())
        .hasValue(tiering.table().currentSnapshot().snapshotId());
    assertThat(view.read(plan, ReadOptions.all())).containsExactlyInAnyOrder("1|1", "2|2");
  }

  @Test
  void aLakeTableOfAnEarlierFlussTableIsIgnored() {
    LiveTable first = create("p_again", "t");
    try (TableWriter writer = view.writer(first)) {
      writer.upsert(1L, 1L).flush();
      view.tiering(first).tier();
    }
    ReadPlan old = view.latest(first);
    view.tables.drop(UnionView.name(first));
    assertFails(
        ErrorCode.READ_TOKEN_EXPIRED,
        "the table was dropped. Plan the read again",
        () -> view.read(old, ReadOptions.all()));
    LiveTable second = create("p_again", "t");
    assertThat(view.read(second)).isEmpty();
    try (TableWriter writer = view.writer(second)) {
      writer.upsert(7L, 7L).flush();
      assertThat(view.read(second)).containsExactly("7|7");
      view.tiering(second).tier();
      assertThat(view.latest(second).token().lakeSnapshotId()).isPresent();
      writer.upsert(8L, 8L).flush();
    }
    assertThat(view.read(second)).containsExactlyInAnyOrder("7|7", "8|8");
    assertFails(
        ErrorCode.READ_TOKEN_EXPIRED,
        "the table was dropped and created again",
        () -> view.read(old, ReadOptions.all()));
    assertFails(
        ErrorCode.READ_TOKEN_EXPIRED,
        "the table was dropped and created again",
        () -> view.reader.plan(old.token()));
  }

  @Test
  void theSameTokenGivesTheSameRowsUntilItsSnapshotExpires() {
    LiveTable live = create("p_token", "t");
    LakeFixture tiering = view.tiering(live);
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(1L, 1L).upsert(2L, 1L).flush();
      tiering.tier();
      writer.upsert(2L, 2L).flush();
      ReadToken token = view.latest(live).token();
      writer.upsert(1L, 9L).flush();
      tiering.tier();
      ReadPlan again = view.reader.plan(ReadToken.parse(token.print()));
      assertThat(again.token()).isEqualTo(token);
      assertThat(view.read(again, ReadOptions.all())).containsExactlyInAnyOrder("1|1", "2|2");
      assertThat(view.reader.count(again)).isEqualTo(2);
      tiering.table().expireSnapshots().expireOlderThan(Long.MAX_VALUE).retainLast(1).commit();
      assertFails(
          ErrorCode.READ_TOKEN_EXPIRED,
          "its lake snapshot is no longer kept. Plan the read again",
          () -> view.reader.plan(token));
      assertFails(
          ErrorCode.READ_TOKEN_EXPIRED,
          "its lake snapshot is no longer kept",
          () -> view.read(again, ReadOptions.all()));
    }
    assertThat(view.read(live)).containsExactlyInAnyOrder("1|9", "2|2");
  }

  @Test
  void filesThatVanishDuringAReadFailItInsteadOfShorteningIt() throws IOException {
    LiveTable live = create("p_vanish", "t");
    LakeFixture tiering = view.tiering(live);
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(1L, 1L).flush();
      tiering.tier();
    }
    ReadPlan plan = view.latest(live);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".parquet")).toList()) {
        Files.delete(file);
      }
    }
    assertFails(
        ErrorCode.READ_TOKEN_EXPIRED,
        "files of its lake snapshot are no longer kept",
        () -> view.read(plan, ReadOptions.all()));
  }

  @Test
  void aLogThatLacksThePlannedRangeIsTruncated() {
    LiveTable live = view.create("p_truncated", 1, List.of("id"), "id bigint");
    try (TableWriter writer = view.writer(live)) {
      writer.upsert(1L).flush();
    }
    AppendFiles commit = view.lake.ensure(live).newAppend();
    new TieredOffsets(
            live.tableId(), Map.of(0, 50L), OptionalLong.empty(), 1, "r", Optional.empty())
        .toSummary()
        .forEach(commit::set);
    commit.commit();
    long snapshotId =
        view.lake.find(UnionView.name(live)).orElseThrow().currentSnapshot().snapshotId();
    ReadToken token =
        new ReadToken(
            UnionView.name(live),
            live.tableId(),
            live.schemaId(),
            OptionalLong.of(snapshotId),
            List.of(60L));
    assertFails(
        ErrorCode.LOG_TRUNCATED,
        "Fluss no longer keeps all of its log. Plan the read again",
        () -> view.read(view.reader.plan(token), ReadOptions.all()));
  }

  @Test
  void theStatusTellsHowFarLakeAndViewAre() {
    LiveTable live = create("p_status", "t");
    ViewStatus before = view.reader.status(UnionView.name(live));
    assertThat(before)
        .isEqualTo(
            new ViewStatus(
                0,
                0,
                OptionalLong.empty(),
                Optional.empty(),
                OptionalLong.empty(),
                0,
                Map.of(0, 0L, 1, 0L),
                Optional.empty(),
                OptionalLong.empty()));
    LakeFixture tiering = view.tiering(live);
    try (CutLog log = CutLog.open(view.tables, "p_status");
        TableWriter writer = view.writer(live)) {
      for (long id = 0; id < 10; id++) {
        writer.upsert(id, 1L);
      }
      writer.flush();
      Snapshot snapshot = tiering.tier(view.cut(log, 10, Instant.now().minusSeconds(5), live));
      writer.upsert(1L, 2L).delete(2L).flush();
      ViewStatus status = view.reader.status(UnionView.name(live));
      assertThat(status.rows()).isEqualTo(9);
      assertThat(status.tailRows()).isEqualTo(3);
      assertThat(status.lakeSnapshotId()).hasValue(snapshot.snapshotId());
      assertThat(status.lakeSnapshotTime().orElseThrow().toEpochMilli())
          .isEqualTo(snapshot.timestampMillis());
      assertThat(status.lakeAgeMs().orElseThrow()).isBetween(0L, 60_000L);
      assertThat(status.lakeFiles()).isEqualTo(2);
      assertThat(status.lakeOffsets().values().stream().mapToLong(x -> x).sum()).isEqualTo(10);
      assertThat(status.newestCutPosition()).contains(SourcePosition.ofLsn(10));
      assertThat(status.freshnessMs().orElseThrow()).isBetween(5_000L, 65_000L);
      view.cut(log, 20, Instant.now().plusSeconds(60), live);
      assertThat(view.reader.status(UnionView.name(live)).freshnessMs()).hasValue(0);
    }
  }
}
