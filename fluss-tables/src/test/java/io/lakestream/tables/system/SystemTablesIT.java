package io.lakestream.tables.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.system.StateBoard.SourceState;
import io.lakestream.tables.system.StateBoard.TableState;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.fluss.metadata.TableBucket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedFluss.class)
class SystemTablesIT {
  private static final Instant TIME = Instant.parse("2024-05-06T07:08:09.123456Z");

  private final FlussTables tables = SharedFluss.tables();

  private static SourcePosition position(long lsn) {
    return SourcePosition.ofLsn(lsn);
  }

  @Test
  void cutsAreFoundByPositionAcrossFullEntries() {
    Set<Long> live = Set.of(1L, 2L);
    Map<TableBucket, Long> expected = new HashMap<>();
    Map<Integer, Map<TableBucket, Long>> history = new HashMap<>();
    try (CutLog log = CutLog.open(tables, "cuts")) {
      assertThat(log.latest()).isEmpty();
      assertThat(log.latestAtOrBefore(position(5))).isEmpty();
      for (int i = 0; i < 230; i++) {
        TableBucket moved = new TableBucket(1 + i % 2, i % 3);
        Map<TableBucket, Long> moves = i % 5 == 4 ? Map.of() : Map.of(moved, (long) i);
        expected.putAll(moves);
        history.put(i, Map.copyOf(expected));
        Cut cut = log.append(position(1000 + i * 10L), TIME.plusSeconds(i), moves, live);
        assertThat(cut.sequence()).isEqualTo(i);
      }
    }
    try (CutLog log = CutLog.open(tables, "cuts")) {
      assertThat(log.latest().orElseThrow())
          .isEqualTo(new Cut("cuts", 229, position(3290), TIME.plusSeconds(229), expected));
      for (int i : new int[] {0, 1, 99, 100, 101, 199, 200, 201, 229}) {
        Cut cut = log.latestAtOrBefore(position(1000 + i * 10L + 3)).orElseThrow();
        assertThat(cut)
            .isEqualTo(
                new Cut("cuts", i, position(1000 + i * 10L), TIME.plusSeconds(i), history.get(i)));
      }
      assertThat(log.latestAtOrBefore(position(999))).isEmpty();
    }
  }

  @Test
  void aReaderThatStaysOpenSeesEachNewCut() {
    try (CutLog writer = CutLog.open(tables, "follow");
        CutLog reader = CutLog.open(tables, "follow")) {
      for (int i = 0; i < 250; i++) {
        writer.append(position(i), TIME, Map.of(new TableBucket(7, i % 4), (long) i), Set.of(7L));
        if (i % 7 == 0 || i > 245) {
          assertThat(reader.latest()).contains(writer.latest().orElseThrow());
        }
      }
    }
  }

  @Test
  void aTableThatIsNoLongerWholeLeavesTheCutsAtOnce() {
    TableBucket gone = new TableBucket(1, 0);
    TableBucket kept = new TableBucket(2, 0);
    try (CutLog log = CutLog.open(tables, "gone");
        CutLog reader = CutLog.open(tables, "gone")) {
      log.append(position(1), TIME, Map.of(gone, 5L, kept, 6L), Set.of(1L, 2L));
      assertThat(reader.latest().orElseThrow().covers(1)).isTrue();
      log.append(position(2), TIME, Map.of(), Set.of(2L));
      log.append(position(3), TIME, Map.of(kept, 7L), Set.of(2L));
      assertThat(log.latest().orElseThrow().endOffsets()).isEqualTo(Map.of(kept, 7L));
      assertThat(reader.latest().orElseThrow().endOffsets()).isEqualTo(Map.of(kept, 7L));
      assertThat(reader.latestAtOrBefore(position(1)).orElseThrow().covers(1)).isTrue();
      assertThat(reader.latestAtOrBefore(position(2)).orElseThrow().covers(1)).isFalse();
    }
  }

  @Test
  void cutsNeverGoBack() {
    try (CutLog log = CutLog.open(tables, "back")) {
      log.append(position(10), TIME, Map.of(), Set.of());
      log.append(position(10), TIME, Map.of(), Set.of());
      assertThatThrownBy(() -> log.append(position(9), TIME, Map.of(), Set.of()))
          .hasMessageContaining("would lie before the newest cut of source back at 0/A");
    }
  }

  @Test
  void progressIsFoundAsItWasPut() {
    try (ProgressStore store = ProgressStore.open(tables)) {
      assertThat(store.find("p", "offsets")).isEmpty();
      store.put("p", "offsets", "é".repeat(10_000));
      store.put("p", "offsets", "{\"lsn\":1}");
      store.put("p", "empty", "");
      assertThat(store.find("p", "offsets")).contains("{\"lsn\":1}");
      assertThat(store.find("p", "empty")).contains("");
      assertThat(store.find("q", "offsets")).isEmpty();
      store.remove("p", "offsets");
      store.remove("p", "never");
      assertThat(store.find("p", "offsets")).isEmpty();
    }
  }

  @Test
  void theBoardListsEachSourceBeforeItsTables() {
    try (StateBoard board = StateBoard.open(tables)) {
      assertThat(board.list()).isEmpty();
      board.put("s1", "public.b", TableState.REFUSED, "has no primary key");
      board.put("s1", "public.a", TableState.LIVE, "");
      board.put("s1", SourceState.STARTING, "");
      board.put("s1", SourceState.STREAMING, "");
      board.put("s0", SourceState.FAILED, "why");
      board.put("s1", "public.gone", TableState.LIVE, "");
      board.remove("s1", "public.gone");
      assertThat(board.list())
          .extracting(e -> List.of(e.source(), e.table(), e.state(), e.reason()))
          .containsExactly(
              List.of("s0", "", "FAILED", "why"),
              List.of("s1", "", "STREAMING", ""),
              List.of("s1", "public.a", "LIVE", ""),
              List.of("s1", "public.b", "REFUSED", "has no primary key"));
      assertThat(board.list().get(0).since()).isAfter(Instant.EPOCH);
    }
  }

  @Test
  void aQuarantinedRowCountsOnceWhateverBroughtIt() {
    Quarantine.Entry entry =
        new Quarantine.Entry("s", "public.t", "0/1", "{\"id\":1}", "n", "NaN has no home", "NaN");
    try (Quarantine quarantine = Quarantine.open(tables)) {
      quarantine.put(entry);
      quarantine.put(entry);
      quarantine.put(
          new Quarantine.Entry(
              "s", "public.t", "0/2", "{\"id\":1}", "n", "NaN has no home", "NaN"));
      assertThat(quarantine.count()).isEqualTo(1);
      assertThat(quarantine.list()).singleElement().extracting("position").isEqualTo("0/2");
      quarantine.remove("s", "public.t", List.of("{\"id\":1}", "{\"id\":2}"));
      assertThat(quarantine.list()).isEmpty();
    }
  }
}
