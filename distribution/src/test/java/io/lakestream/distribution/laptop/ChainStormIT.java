package io.lakestream.distribution.laptop;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.distribution.verify.SourceReader;
import io.lakestream.distribution.verify.UnionView;
import io.lakestream.distribution.verify.Verifier;
import io.lakestream.distribution.verify.VerifyReport;
import io.lakestream.distribution.verify.View;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.lake.TieredOffsets;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import io.lakestream.union.UnionReader;
import io.lakestream.union.plan.ReadPlan;
import io.lakestream.union.plan.ReadPoint;
import io.lakestream.union.read.ReadOptions;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random transactions while every part of the chain is stopped and killed; the source is the
 * oracle.
 */
class ChainStormIT {
  private static final long SEED = Long.getLong("seed", System.nanoTime());
  private static final int ROUNDS = Integer.getInteger("rounds", 6);
  private static final int TRANSACTIONS = 250;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;

  @Test
  void viewAndLakeEqualTheSourceWhateverIsKilledOnTheWay() throws Exception {
    System.out.println("seed=" + SEED + " (repeat with -Dseed=" + SEED + ")");
    Random chaos = new Random(SEED);
    try (StormRig rig = new StormRig(folder);
        Connection connection = rig.connect()) {
      Storm storm = Storm.create(connection, SEED);
      rig.startCapture();
      int answers = 0;
      for (int round = 0; round < ROUNDS; round++) {
        try (SumWatch watch = new SumWatch(rig)) {
          runTransactions(storm, TRANSACTIONS / 2);
          disturb(rig, storm, chaos, round);
          runTransactions(storm, TRANSACTIONS / 2);
          assertViewEqualsSource(rig, "round " + round);
          answers += watch.assertSumNeverChanged();
        }
        assertLakeEqualsSource(rig, "round " + round);
      }
      assertThat(answers).as("reads at a cut, all rounds").isGreaterThan(2 * ROUNDS);
      for (String table : Storm.TABLES) {
        assertLakeMetadataProvesTheProtocol(rig.lake().find(name(table)).orElseThrow());
      }
    }
  }

  @Test
  void twoTieringJobsOnTheSameTablesLoseAndDoubleNothing() throws Exception {
    System.out.println("seed=" + SEED + " (repeat with -Dseed=" + SEED + ")");
    try (StormRig rig = new StormRig(folder);
        Connection connection = rig.connect()) {
      Storm storm = Storm.create(connection, SEED);
      rig.startCapture();
      try (EmbeddedTiering second = rig.runTiering("second")) {
        runTransactions(storm, 3 * TRANSACTIONS);
        assertLakeEqualsSource(rig, "with two jobs");
        assertThat(second.failure()).isEmpty();
      }
      runTransactions(storm, TRANSACTIONS);
      assertLakeEqualsSource(rig, "with the first job alone");
      assertViewEqualsSource(rig, "with the first job alone");
      for (String table : Storm.TABLES) {
        assertLakeMetadataProvesTheProtocol(rig.lake().find(name(table)).orElseThrow());
      }
    }
  }

  private static TableName name(String table) {
    return new TableName(StormRig.SOURCE, "public", table);
  }

  private static void runTransactions(Storm storm, int count) throws Exception {
    for (int i = 0; i < count; i++) {
      storm.transaction();
    }
  }

  // The first rounds cover every kind; later ones draw.
  private static void disturb(StormRig rig, Storm storm, Random chaos, int round) throws Exception {
    switch (round < 4 ? round : chaos.nextInt(4)) {
      case 0 -> {
        rig.killCapture();
        runTransactions(storm, chaos.nextInt(40));
        rig.killCapture();
      }
      case 1 -> rig.killTiering();
      case 2 -> rig.restartFluss();
      default -> {
        rig.restartCapture();
        rig.killTiering();
        rig.killCapture();
      }
    }
  }

  private void assertViewEqualsSource(StormRig rig, String when) throws Exception {
    try (UnionReader reader = UnionReader.open(rig.tables(), rig.lake())) {
      assertNoDifference(rig, new UnionView(reader, rig.capture()::failure), "view, " + when);
    }
  }

  private void assertLakeEqualsSource(StormRig rig, String when) throws Exception {
    try (UnionReader reader = UnionReader.open(rig.tables(), rig.lake());
        SourceConnection source = rig.openSource()) {
      // Everything is in Fluss once the view covers it; then tiering can be asked to catch up.
      new UnionView(reader, rig.capture()::failure)
          .pin(Storm.TABLES.stream().map(ChainStormIT::name).toList(), source.mark(), PATIENCE);
    }
    assertNoDifference(rig, new LakeOnly(rig.tables(), rig.lake()), "lake, " + when);
  }

  private void assertNoDifference(StormRig rig, View view, String what) throws Exception {
    List<TableDefinition> definitions = new ArrayList<>();
    for (String table : Storm.TABLES) {
      definitions.add(rig.tables().find(name(table)).orElseThrow().definition());
    }
    try (SourceConnection position = rig.openSource();
        SourceReader source = SourceReader.open(rig.sourceConfig())) {
      Verifier verifier =
          new Verifier(source, position::mark, view, folder.resolve("verify"), PATIENCE);
      VerifyReport report = verifier.verifyQuiet(definitions);
      assertThat(report.differences()).as("%s, seed %s", what, SEED).isEmpty();
      assertThat(report.rows()).isGreaterThanOrEqualTo(100);
    }
  }

  private static void assertLakeMetadataProvesTheProtocol(Table table) throws IOException {
    TieredOffsets before = null;
    long parent = -1;
    for (Snapshot snapshot : table.snapshots()) {
      TieredOffsets offsets = TieredOffsets.fromSummary(snapshot.summary()).orElseThrow();
      if (before == null) {
        assertThat(offsets.parentSnapshotId()).isEqualTo(OptionalLong.empty());
      } else {
        assertThat(snapshot.parentId()).isEqualTo(parent);
        assertThat(offsets.parentSnapshotId()).isEqualTo(OptionalLong.of(parent));
        assertThat(offsets.epoch()).isGreaterThanOrEqualTo(before.epoch());
        assertThat(offsets.endOffsets()).isNotEqualTo(before.endOffsets());
        for (Map.Entry<Integer, Long> end : before.endOffsets().entrySet()) {
          assertThat(offsets.endOffset(end.getKey())).isGreaterThanOrEqualTo(end.getValue());
        }
        assertThat(offsets.roundId()).isNotEqualTo(before.roundId());
      }
      before = offsets;
      parent = snapshot.snapshotId();
      assertNoEqualityDeletes(table, snapshot);
    }
    assertThat(before).as("%s has snapshots", table.name()).isNotNull();
  }

  private static void assertNoEqualityDeletes(Table table, Snapshot snapshot) throws IOException {
    for (ManifestFile manifest : snapshot.deleteManifests(table.io())) {
      try (ManifestReader<DeleteFile> files =
          ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs())) {
        for (DeleteFile file : files) {
          assertThat(file.content()).isEqualTo(FileContent.POSITION_DELETES);
        }
      }
    }
  }

  /** Reads both balance tables at one cut, again and again, while money moves between them. */
  private static final class SumWatch implements AutoCloseable {
    private final AtomicBoolean running = new AtomicBoolean(true);
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicReference<Throwable> wrong = new AtomicReference<>();
    private final Thread thread;

    SumWatch(StormRig rig) {
      thread = new Thread(() -> watch(rig), "sum-watch");
      thread.start();
    }

    private void watch(StormRig rig) {
      while (running.get() && wrong.get() == null) {
        int turns = rig.flussTurns();
        try {
          BigDecimal sum = readSum(rig);
          assertThat(sum).isEqualByComparingTo(Storm.TOTAL);
          answers.incrementAndGet();
        } catch (Exception | AssertionError e) {
          // An answer must be right. There may be none before the first cut and while Fluss is
          // down.
          boolean notYet =
              e instanceof LakestreamException known
                  && (known.code() == ErrorCode.UNKNOWN_TABLE
                      || known.code() == ErrorCode.POSITION_NOT_COVERED);
          boolean flussWasDown =
              e instanceof Exception && (turns % 2 == 1 || turns != rig.flussTurns());
          if (!notYet && !flussWasDown) {
            wrong.set(e);
          }
        }
      }
    }

    private static BigDecimal readSum(StormRig rig) throws Exception {
      try (UnionReader reader = UnionReader.open(rig.tables(), rig.lake())) {
        Map<TableName, ReadPlan> plans =
            reader.plan(List.of(name("accounts"), name("savings")), ReadPoint.latestCut());
        BigDecimal sum = BigDecimal.ZERO;
        for (ReadPlan plan : plans.values()) {
          try (CloseableIterator<Record> rows =
              reader.read(plan, ReadOptions.all().withColumns("balance"))) {
            while (rows.hasNext()) {
              sum = sum.add((BigDecimal) rows.next().get(0));
            }
          }
        }
        return sum;
      }
    }

    /** Returns how many reads had an answer, all of them right. */
    int assertSumNeverChanged() {
      assertThat(wrong.get()).isNull();
      return answers.get();
    }

    @Override
    public void close() {
      running.set(false);
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
