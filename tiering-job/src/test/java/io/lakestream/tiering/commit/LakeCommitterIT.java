package io.lakestream.tiering.commit;

import static io.lakestream.tables.fixture.Definitions.define;
import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.lake.LakeHead;
import io.lakestream.tables.lake.LakeLayout;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tiering.TableModel;
import io.lakestream.tiering.TieringRig;
import io.lakestream.tiering.commit.CommitOutcome.Committed;
import io.lakestream.tiering.commit.CommitOutcome.Refused;
import io.lakestream.tiering.commit.CommitOutcome.Superseded;
import io.lakestream.tiering.commit.CommitOutcome.Unknown;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.parquet.Parquet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(SharedFluss.class)
class LakeCommitterIT {
  private static final AtomicInteger TABLES = new AtomicInteger();

  @TempDir private Path folder;
  private TieringRig rig;
  private TableModel model;
  private TableDefinition definition;
  private RoundDriver job;

  @BeforeEach
  void open() {
    rig = TieringRig.open(folder);
    definition =
        define(
            "commits",
            "t" + TABLES.incrementAndGet(),
            2,
            List.of("id"),
            "id bigint",
            "name string");
    model = TableModel.create(definition);
    job = RoundDriver.open(model.table(), rig.lake(), folder.resolve("index"));
    for (long id = 0; id < 20; id++) {
      model.upsert(id, "first");
    }
    model.flush();
    assertThat(job.run(1)).isInstanceOf(Committed.class);
  }

  @AfterEach
  void close() throws Exception {
    job.close();
    model.close();
    rig.close();
  }

  private void change(String name) {
    for (long id = 0; id < 20; id += 3) {
      model.upsert(id, name);
    }
    model.delete(1L).upsert(100L, name).delete(4L).upsert(4L, name).flush();
  }

  private void assertLakeEqualsFluss() {
    assertThat(rig.rows(definition)).isEqualTo(model.rows());
    rig.assertChainIsIntact(definition);
  }

  private static boolean exists(Table table, RoundCommit round) {
    boolean all = true;
    for (DataFile file : round.dataFiles()) {
      all &= table.io().newInputFile(file.location()).exists();
    }
    return all;
  }

  @Test
  void aReplayedRoundIsRecognisedAndItsFilesStay() {
    change("second");
    RoundCommit round = job.write("round-2", 1);
    assertThat(job.commit(job.lake(), round)).isInstanceOf(Committed.class);
    int snapshots = rig.history(definition).size();

    CommitOutcome again = job.commit(job.lake(), round);

    assertThat(again)
        .isInstanceOfSatisfying(Committed.class, c -> assertThat(c.replayed()).isTrue());
    assertThat(rig.history(definition)).hasSize(snapshots);
    assertLakeEqualsFluss();

    change("third");
    assertThat(job.run(1)).isInstanceOf(Committed.class);
    assertThat(job.commit(job.lake(), round)).isInstanceOf(Committed.class);
    assertLakeEqualsFluss();
  }

  @Test
  void aCommitWhoseReplyIsLostIsFoundByItsRoundId() {
    change("second");
    RoundCommit round = job.write("round-2", 1);
    Table faulty = FaultyOperations.wrap(job.lake(), FaultyOperations.Fault.REPLY_LOST);

    assertThat(job.commit(faulty, round)).isInstanceOf(Committed.class);

    assertThat(exists(job.lake(), round)).isTrue();
    assertLakeEqualsFluss();
    change("third");
    assertThat(job.run(1)).isInstanceOf(Committed.class);
    assertLakeEqualsFluss();
  }

  @Test
  void aCommitThatMayHaveFailedKeepsItsFilesAndTheNextRoundSeesNothingOfIt() {
    change("second");
    RoundCommit round = job.write("round-2", 1);
    Table faulty = FaultyOperations.wrap(job.lake(), FaultyOperations.Fault.BEFORE_THE_SWAP);

    assertThat(job.commit(faulty, round)).isInstanceOf(Unknown.class);

    assertThat(exists(job.lake(), round)).isTrue();
    change("third");
    assertThat(job.run(1)).isInstanceOf(Committed.class);
    assertLakeEqualsFluss();
  }

  @Test
  void ofTwoJobsWithTheSameOffsetsOneWinsAndTheOtherSeesThatItIsDone() {
    change("second");
    try (RoundDriver other = RoundDriver.open(model.table(), rig.lake(), folder.resolve("other"))) {
      RoundCommit ours = job.write("round-ours", 1);
      RoundCommit theirs = other.write("round-theirs", 1);
      Table ourHandle = job.lake();
      assertThat(other.commit(other.lake(), theirs)).isInstanceOf(Committed.class);

      assertThat(job.commit(ourHandle, ours)).isInstanceOf(Superseded.class);

      assertThat(exists(ourHandle, ours)).isFalse();
      assertLakeEqualsFluss();
    }
  }

  @Test
  void aRefusedRoundLeavesNothingBehindAndItsRetryIsRight() {
    change("second");
    try (RoundDriver other = RoundDriver.open(model.table(), rig.lake(), folder.resolve("other"))) {
      RoundCommit theirs = other.write("round-theirs", 1);
      change("third");
      RoundCommit ours = job.write("round-ours", 1);
      Table ourHandle = job.lake();
      assertThat(other.commit(other.lake(), theirs)).isInstanceOf(Committed.class);

      CommitOutcome refused = job.commit(ourHandle, ours);

      assertThat(refused).isInstanceOf(Refused.class);
      assertThat(exists(ourHandle, ours)).isFalse();
      // The index was ahead of the lake; the retry must not believe it.
      assertThat(job.run(1)).isInstanceOf(Committed.class);
      assertLakeEqualsFluss();
    }
  }

  @Test
  void aJobOfAnOlderEpochIsRefused() {
    change("second");
    assertThat(job.run(7)).isInstanceOf(Committed.class);
    change("third");

    assertThat(job.run(6))
        .isInstanceOfSatisfying(
            Refused.class, r -> assertThat(r.reason()).contains("head has epoch 7, the round 6"));

    assertThat(job.run(7)).isInstanceOf(Committed.class);
    assertLakeEqualsFluss();
  }

  @Test
  void aRoundOfADroppedTableIsRefusedByTheTableThatReplacedIt() {
    change("second");
    RoundCommit round = job.write("round-2", 1);
    Table handle = job.lake();
    rig.load(definition).updateProperties().set(LakeLayout.TABLE_ID_PROPERTY, "4711").commit();

    assertThat(job.commit(handle, round))
        .isInstanceOfSatisfying(
            Refused.class,
            r -> assertThat(r.reason()).contains("lake table holds Fluss table ID '4711'"));
  }

  @Test
  void anotherEnginesCompactionIsAdopted() throws IOException {
    change("second");
    RoundCommit stale = job.write("round-stale", 1);
    Table handle = job.lake();
    compactAsAnotherEngine(0);
    compactAsAnotherEngine(1);

    assertThat(job.commit(handle, stale)).isInstanceOf(Refused.class);
    assertThat(rig.head(definition).orElseThrow().offsets().roundId())
        .isNotEqualTo(stale.offsets().roundId());
    job.adopt();
    assertThat(job.run(1)).isInstanceOf(Committed.class);

    assertThat(rig.rows(definition)).isEqualTo(model.rows());
    assertThat(rig.head(definition))
        .map(LakeHead::offsets)
        .hasValueSatisfying(offsets -> assertThat(offsets.endOffsets()).isEqualTo(model.ends()));
  }

  @Test
  void aKeyThatChangesAgainAfterItsWindowWasWrittenOutIsThereOnce() {
    try (RoundDriver narrow =
        new RoundDriver(model.table(), rig.lake(), folder.resolve("narrow"), 1)) {
      for (int i = 0; i < 5; i++) {
        // Reads come in batches; each batch overflows a window of one byte.
        for (long id = 0; id < 600; id++) {
          model.upsert(id % 40, "v" + i + "-" + id);
        }
        model.delete(2L).delete(777L).flush();
      }
      CommitOutcome outcome = narrow.run(1);

      assertThat(outcome).isInstanceOf(Committed.class);
      Table table = rig.load(definition);
      assertThat(TieringRig.changes(table, table.currentSnapshot()).addedDataFiles()).hasSize(2);
      assertLakeEqualsFluss();
    }
  }

  /**
   * Rewrites the files of a bucket into one, as a compaction by an engine that knows no offsets.
   */
  private void compactAsAnotherEngine(int bucket) throws IOException {
    Table table = rig.load(definition);
    List<DataFile> before = new ArrayList<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        if (task.file().partition().get(0, Integer.class) == bucket) {
          before.add(task.file());
        }
      }
    }
    DataWriter<Record> writer =
        Parquet.writeData(
                table
                    .io()
                    .newOutputFile(table.location() + "/data/compacted-" + bucket + ".parquet"))
            .forTable(table)
            .withPartition(before.get(0).partition())
            .createWriterFunc(GenericParquetWriter::create)
            .build();
    try (writer;
        CloseableIterable<Record> rows = IcebergGenerics.read(table).build()) {
      for (Record row : rows) {
        if ((Integer) row.getField("__bucket") == bucket) {
          writer.write(row);
        }
      }
    }
    RewriteFiles rewrite = table.newRewrite();
    before.forEach(rewrite::deleteFile);
    rewrite.addFile(writer.toDataFile());
    rewrite.commit();
  }
}
