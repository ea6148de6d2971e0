package io.lakestream.tiering.write;

import static io.lakestream.tables.error.Checks.checkProtocol;

import io.lakestream.tables.change.LogRangeReader;
import io.lakestream.tables.change.OffsetRange;
import io.lakestream.tables.ddl.DefinitionJson;
import io.lakestream.tables.ddl.FlussCalls;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.lake.LakeTables;
import io.lakestream.tables.schema.KeyCodec;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tiering.index.BucketIndex;
import io.lakestream.tiering.index.IndexRebuild;
import io.lakestream.tiering.index.KeyIndex;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.metadata.TablePath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the rounds of one table's buckets that one reader owns: reads the log, and writes rows and
 * deletion vectors through the key index. Commits nothing. For one thread at a time.
 */
public final class TableWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TableWriter.class);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final String definitionJson;
  private final TableDefinition definition;
  private final org.apache.fluss.client.table.Table log;
  private final org.apache.iceberg.Table lake;
  private final KeyCodec codec;
  private final LakeRows lakeRows;
  private final KeyIndex keys;
  private final long windowBytesMax;
  private final Map<Integer, BucketIndex> indexes = new HashMap<>();

  private TableWriter(
      String definitionJson,
      org.apache.fluss.client.table.Table log,
      org.apache.iceberg.Table lake,
      KeyIndex keys,
      long windowBytesMax) {
    this.definitionJson = definitionJson;
    this.definition = DefinitionJson.read(definitionJson);
    this.log = log;
    this.lake = lake;
    this.codec = KeyCodec.of(definition);
    this.lakeRows = new LakeRows(definition, lake.schema());
    this.keys = keys;
    this.windowBytesMax = windowBytesMax;
  }

  /**
   * Opens the log and the lake table that a round names.
   *
   * @param windowBytesMax how much the windows of all buckets may hold before they are written out
   * @throws LakestreamException UNKNOWN_TABLE where either is another table by now
   */
  public static TableWriter open(
      RoundWork work,
      FlussTables fluss,
      LakeTables lakeTables,
      KeyIndex keys,
      long windowBytesMax) {
    TableDefinition definition = DefinitionJson.read(work.definition());
    var lake =
        lakeTables
            .find(definition.name())
            .orElseThrow(() -> gone(definition, "the lake has no such table"));
    var log = fluss.openTable(TablePath.of(definition.name().source(), work.log()));
    try {
      if (log.getTableInfo().getTableId() != work.tableId()) {
        throw gone(definition, "Fluss has another table of this name");
      }
      return new TableWriter(work.definition(), log, lake, keys, windowBytesMax);
    } catch (RuntimeException e) {
      FlussCalls.close(log, "the log of " + definition.name());
      throw e;
    }
  }

  private static LakestreamException gone(TableDefinition definition, String what) {
    return new LakestreamException(
        ErrorCode.UNKNOWN_TABLE, "Cannot tier %s: %s", definition.name().display(), what);
  }

  /** True where rounds with this definition can be written. */
  public boolean fits(RoundWork work) {
    return work.definition().equals(definitionJson)
        && work.tableId() == log.getTableInfo().getTableId();
  }

  /**
   * Writes a share of a round. Afterwards the indexes stand for the round as if it were committed;
   * after a failure they stand for nothing and are rebuilt by the next round.
   *
   * @param cancelled asked between batches of changes
   * @throws LakestreamException LOG_TRUNCATED where the log has lost a part of the range
   */
  public RoundFiles write(RoundWork work, BooleanSupplier cancelled) {
    rebuildStaleIndexes(work);
    Map<Integer, BucketWriter> writers = new TreeMap<>();
    try {
      work.buckets()
          .keySet()
          .forEach(
              bucket -> {
                BucketIndex index = indexes.get(bucket);
                // From here on the index is ahead of the lake, until the round is in it.
                index.beginChange();
                writers.put(
                    bucket, new BucketWriter(lake, bucket, work.roundId(), index, codec, lakeRows));
              });
      readLog(work, writers, cancelled);
      RoundFiles files = RoundFiles.none();
      for (BucketWriter writer : writers.values()) {
        files = files.plus(writer.finish());
      }
      work.buckets().keySet().forEach(bucket -> indexes.get(bucket).endChange(work.roundId()));
      return files;
    } catch (IOException e) {
      abort(writers);
      throw new LakestreamException(
          e,
          ErrorCode.LAKE_FAILED,
          "Cannot write to the lake table of %s: %s",
          definition.name().display(),
          e.getMessage());
    } catch (RuntimeException e) {
      abort(writers);
      throw e;
    }
  }

  private void rebuildStaleIndexes(RoundWork work) {
    Set<Integer> stale = new HashSet<>();
    work.buckets()
        .forEach(
            (bucket, range) -> {
              BucketIndex index = indexes.get(bucket);
              if (index == null || !index.belongsTo(range.version())) {
                stale.add(bucket);
              }
            });
    if (stale.isEmpty()) {
      return;
    }
    Map<Integer, BucketIndex> rebuilt = new HashMap<>();
    if (work.base() == RoundWork.NO_SNAPSHOT) {
      stale.forEach(bucket -> rebuilt.put(bucket, BucketIndex.empty(keys)));
    } else {
      long started = System.nanoTime();
      if (lake.snapshot(work.base()) == null) {
        lake.refresh();
      }
      if (lake.snapshot(work.base()) == null) {
        throw new LakestreamException(
            ErrorCode.COMMIT_REFUSED,
            "Cannot tier %s: lake snapshot %s is gone",
            definition.name().display(),
            work.base());
      }
      rebuilt.putAll(IndexRebuild.load(lake, definition, codec, keys, work.base(), stale));
      LOG.info(
          "Rebuilt key indexes: table={} buckets={} snapshotId={} ms={}",
          definition.name(),
          stale,
          work.base(),
          Duration.ofNanos(System.nanoTime() - started).toMillis());
    }
    rebuilt.forEach(
        (bucket, index) -> {
          index.endChange(work.buckets().get(bucket).version());
          BucketIndex before = indexes.put(bucket, index);
          if (before != null) {
            before.drop();
          }
        });
  }

  private void readLog(
      RoundWork work, Map<Integer, BucketWriter> writers, BooleanSupplier cancelled)
      throws IOException {
    Map<Integer, OffsetRange> ranges = new TreeMap<>();
    work.buckets()
        .forEach(
            (bucket, range) -> ranges.put(bucket, new OffsetRange(range.start(), range.stop())));
    try (LogRangeReader reader = LogRangeReader.open(log, ranges, PATIENCE)) {
      while (!reader.isFinished()) {
        if (cancelled.getAsBoolean()) {
          throw new LakestreamException(
              ErrorCode.COMMIT_REFUSED, "Round %s was given up", work.roundId());
        }
        for (Map.Entry<Integer, java.util.List<ScanRecord>> changes : reader.poll().entrySet()) {
          BucketWriter writer = writers.get(changes.getKey());
          checkProtocol(writer != null, "Log read gave bucket %s unasked", changes.getKey());
          for (ScanRecord change : changes.getValue()) {
            writer.add(change);
          }
        }
        flushFullWindows(writers);
      }
      reader.verifyFinished();
    }
  }

  private void flushFullWindows(Map<Integer, BucketWriter> writers) throws IOException {
    long bytes = 0;
    for (BucketWriter writer : writers.values()) {
      bytes += writer.windowBytes();
    }
    if (bytes >= windowBytesMax) {
      for (BucketWriter writer : writers.values()) {
        writer.flushWindow();
      }
    }
  }

  private void abort(Map<Integer, BucketWriter> writers) {
    for (BucketWriter writer : writers.values()) {
      try {
        writer.abort();
      } catch (IOException | RuntimeException e) {
        LOG.warn("Cannot delete files of a failed round: table={}", definition.name(), e);
      }
    }
  }

  @Override
  public void close() {
    indexes.values().forEach(BucketIndex::drop);
    indexes.clear();
    FlussCalls.close(log, "the log of " + definition.name());
  }
}
