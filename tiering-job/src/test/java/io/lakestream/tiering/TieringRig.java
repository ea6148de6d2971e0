package io.lakestream.tiering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.lake.LakeConfig;
import io.lakestream.tables.lake.LakeHead;
import io.lakestream.tables.lake.LakeTables;
import io.lakestream.tables.lake.TieredOffsets;
import io.lakestream.tables.schema.TableDefinition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotChanges;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.SnapshotUtil;

/** A lake of its own in a folder, tiering jobs on it, and what tests ask of both. */
public final class TieringRig implements AutoCloseable {
  public static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path folder;
  private final LakeConfig lakeConfig;
  private final LakeTables lake;
  private final List<JobClient> jobs = new ArrayList<>();

  private TieringRig(Path folder) {
    this.folder = folder;
    this.lakeConfig =
        new LakeConfig(
            "jdbc:sqlite:" + folder.resolve("catalog.db") + "?busy_timeout=10000&journal_mode=WAL",
            folder.resolve("warehouse").toUri().toString(),
            Map.of());
    this.lake = LakeTables.open(lakeConfig);
  }

  public static TieringRig open(Path folder) {
    return new TieringRig(folder);
  }

  public LakeTables lake() {
    return lake;
  }

  public Path indexFolder() {
    return folder.resolve("index");
  }

  /** Quick rounds, plain offsets after 300 ms without a cut, takeover after 2 s. */
  public TieringConfig config() {
    return new TieringConfig(
        SharedFluss.bootstrapServers(),
        lakeConfig,
        Duration.ofMillis(200),
        Duration.ofMillis(300),
        Duration.ofSeconds(2),
        indexFolder().toString());
  }

  /** A job whose rounds end at cuts, and at plain offsets only after a minute. */
  public TieringConfig cutsOnlyConfig() {
    TieringConfig quick = config();
    return new TieringConfig(
        quick.bootstrapServers(),
        quick.lake(),
        quick.commitInterval(),
        Duration.ofMinutes(1),
        quick.takeover(),
        quick.indexDirectory());
  }

  public JobClient start(TieringConfig config, int parallelism) {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.createLocalEnvironment(parallelism);
    TieringJob.define(env, config);
    return start(env);
  }

  public JobClient start(StreamExecutionEnvironment env) {
    try {
      JobClient job = env.executeAsync("tiering");
      jobs.add(job);
      return job;
    } catch (Exception e) {
      throw new IllegalStateException("Cannot start the job", e);
    }
  }

  public void cancel(JobClient job) {
    jobs.remove(job);
    job.cancel().join();
    // Asking for the state instead would race with the end of the job's own cluster.
    job.getJobExecutionResult()
        .handle((result, error) -> true)
        .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .join();
  }

  public Table load(TableDefinition definition) {
    return lake.find(definition.name()).orElseThrow();
  }

  public Optional<LakeHead> head(TableDefinition definition) {
    return lake.find(definition.name()).flatMap(LakeHead::find);
  }

  /** Waits until the lake holds all that the log holds now. */
  public void awaitTiered(LiveTable table) {
    Map<Integer, Long> ends =
        SharedFluss.tables().endOffsets(table.path(), table.definition().buckets());
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(
            () -> {
              Optional<LakeHead> head = head(table.definition());
              assertThat(head).isPresent();
              assertThat(head.get().offsets().tableId()).isEqualTo(table.tableId());
              ends.forEach(
                  (bucket, end) ->
                      assertThat(head.get().offsets().endOffset(bucket))
                          .as("bucket %s", bucket)
                          .isGreaterThanOrEqualTo(end));
            });
  }

  /**
   * The lake's rows by key, read by Iceberg's own generic reader; fails where a key is there twice.
   */
  public Map<List<Object>, List<Object>> rows(TableDefinition definition) {
    Map<List<Object>, List<Object>> rows = new HashMap<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(load(definition)).build()) {
      for (Record row : records) {
        List<Object> values = new ArrayList<>();
        for (String column : definition.columnNames()) {
          values.add(row.getField(column));
        }
        List<Object> key =
            definition.primaryKey().stream().map(column -> row.getField(column)).toList();
        assertThat(rows.put(key, values)).as("second row of key %s", key).isNull();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }

  /** Snapshots of the current table, oldest first. */
  public List<Snapshot> history(TableDefinition definition) {
    List<Snapshot> snapshots = new ArrayList<>();
    SnapshotUtil.currentAncestors(load(definition)).forEach(snapshots::add);
    Collections.reverse(snapshots);
    return snapshots;
  }

  /** What a snapshot changed. */
  public static SnapshotChanges changes(Table table, Snapshot snapshot) {
    return SnapshotChanges.builderFor(table).snapshot(snapshot).build();
  }

  /** The protocol, as the lake's own metadata tells it. */
  public void assertChainIsIntact(TableDefinition definition) {
    Table table = load(definition);
    TieredOffsets before = null;
    long parentId = -1;
    for (Snapshot snapshot : history(definition)) {
      TieredOffsets offsets = TieredOffsets.fromSummary(snapshot.summary()).orElseThrow();
      if (before == null) {
        assertThat(snapshot.parentId()).isNull();
        assertThat(offsets.parentSnapshotId()).isEmpty();
      } else {
        assertThat(snapshot.parentId()).isEqualTo(parentId);
        assertThat(offsets.parentSnapshotId()).hasValue(parentId);
        assertThat(offsets.epoch()).isGreaterThanOrEqualTo(before.epoch());
        assertThat(offsets.roundId()).isNotEqualTo(before.roundId());
        boolean moved = false;
        for (int bucket = 0; bucket < definition.buckets(); bucket++) {
          assertThat(offsets.endOffset(bucket)).isGreaterThanOrEqualTo(before.endOffset(bucket));
          moved |= offsets.endOffset(bucket) > before.endOffset(bucket);
        }
        assertThat(moved).as("round %s moves an offset", offsets.roundId()).isTrue();
      }
      for (DeleteFile delete : changes(table, snapshot).addedDeleteFiles()) {
        assertThat(delete.content()).isEqualTo(FileContent.POSITION_DELETES);
        assertThat(delete.format()).isEqualTo(FileFormat.PUFFIN);
      }
      before = offsets;
      parentId = snapshot.snapshotId();
    }
  }

  @Override
  public void close() throws IOException {
    for (JobClient job : List.copyOf(jobs)) {
      cancel(job);
    }
    lake.close();
  }
}
