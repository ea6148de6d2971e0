package io.lakestream.tiering.index;

import static io.lakestream.tables.error.Checks.checkProtocol;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.KeyCodec;
import io.lakestream.tables.schema.TableDefinition;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionField;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * Builds the indexes of buckets from a lake snapshot: reads the key columns of every data file and
 * skips what its deletion vector names.
 */
public final class IndexRebuild {
  private static final int BATCH = 10_000;

  private final Table table;
  private final Schema keySchema;
  private final int keyColumns;
  private final KeyCodec codec;

  private IndexRebuild(Table table, TableDefinition definition, KeyCodec codec) {
    this.table = table;
    this.keySchema =
        new Schema(definition.primaryKey().stream().map(table.schema()::findField).toList());
    this.keyColumns = definition.primaryKey().size();
    this.codec = codec;
  }

  /**
   * Builds the indexes of some buckets.
   *
   * @param table knows the snapshot
   * @param snapshotId the snapshot that the indexes will stand for
   * @param buckets which ones
   * @return one index per bucket, at no version yet
   */
  public static Map<Integer, BucketIndex> load(
      Table table,
      TableDefinition definition,
      KeyCodec codec,
      KeyIndex keys,
      long snapshotId,
      Set<Integer> buckets) {
    IndexRebuild rebuild = new IndexRebuild(table, definition, codec);
    Map<Integer, BucketIndex> indexes = new HashMap<>();
    buckets.forEach(bucket -> indexes.put(bucket, BucketIndex.empty(keys)));
    try (CloseableIterable<FileScanTask> tasks =
        table
            .newScan()
            .useSnapshot(snapshotId)
            .filter(Expressions.in(Column.BUCKET, buckets.toArray()))
            .planFiles()) {
      for (FileScanTask task : tasks) {
        BucketIndex index = indexes.get(bucketOf(task));
        checkProtocol(index != null, "Scan of buckets %s found a file of another bucket", buckets);
        rebuild.read(task, index);
      }
    } catch (IOException e) {
      throw failed(table, e);
    } catch (RuntimeException e) {
      indexes.values().forEach(BucketIndex::drop);
      throw e;
    }
    return indexes;
  }

  private void read(FileScanTask task, BucketIndex index) {
    String location = task.file().location();
    int file = index.files().add(location);
    PositionDeleteIndex deleted = deleted(task, index);
    try (KeyIndex.Changes changes = index.changes();
        CloseableIterable<Record> records =
            Parquet.read(table.io().newInputFile(task.file()))
                .project(keySchema)
                .createReaderFunc(
                    fileSchema -> GenericParquetReaders.buildReader(keySchema, fileSchema))
                .reuseContainers()
                .build()) {
      Object[] key = new Object[keyColumns];
      // The whole file in order, so the count is the row's position.
      long position = 0;
      for (Record row : records) {
        if (!deleted.isDeleted(position)) {
          for (int i = 0; i < keyColumns; i++) {
            key[i] = row.get(i);
          }
          changes.put(codec.encodeKey(key), new RowPlace(file, position));
          if (changes.size() >= BATCH) {
            changes.apply();
          }
        }
        position++;
      }
      changes.apply();
    } catch (IOException e) {
      throw failed(table, e);
    }
  }

  private PositionDeleteIndex deleted(FileScanTask task, BucketIndex index) {
    List<DeleteFile> deletes = task.deletes();
    for (DeleteFile delete : deletes) {
      if (!ContentFileUtil.isDV(delete)) {
        throw new LakestreamException(
            ErrorCode.PROTOCOL_VIOLATION,
            "Cannot tier %s: data file %s has a delete file that is no deletion vector (%s), written by another engine. Rewrite the table's position and equality deletes with that engine.",
            table.name(),
            task.file().location(),
            delete.content());
      }
      index.files().replaceVector(delete.copy());
    }
    return deletes.isEmpty()
        ? PositionDeleteIndex.empty()
        : vectorLoader(table).loadPositionDeletes(deletes, task.file().location());
  }

  /** Reads deletion vectors of a table. */
  public static BaseDeleteLoader vectorLoader(Table table) {
    return new BaseDeleteLoader(table.io()::newInputFile);
  }

  private static int bucketOf(FileScanTask task) {
    PartitionSpec spec = task.spec();
    int source = spec.schema().findField(Column.BUCKET).fieldId();
    for (int i = 0; i < spec.fields().size(); i++) {
      PartitionField field = spec.fields().get(i);
      if (field.sourceId() == source && field.transform().isIdentity()) {
        return task.file().partition().get(i, Integer.class);
      }
    }
    throw new LakestreamException(
        ErrorCode.PROTOCOL_VIOLATION,
        "Cannot tier: data file %s is not partitioned by %s. Rewrite it with the table's current partition spec.",
        task.file().location(),
        Column.BUCKET);
  }

  private static LakestreamException failed(Table table, IOException cause) {
    return new LakestreamException(
        cause,
        ErrorCode.LAKE_FAILED,
        "Cannot read the keys of %s from the lake: %s",
        table.name(),
        cause.getMessage());
  }
}
