package io.lakestream.tiering.write;

import io.lakestream.tables.schema.KeyCodec;
import io.lakestream.tiering.index.BucketIndex;
import io.lakestream.tiering.index.IndexRebuild;
import io.lakestream.tiering.index.KeyIndex;
import io.lakestream.tiering.index.RowPlace;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.record.ChangeType;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.DeleteWriteResult;
import org.apache.iceberg.io.OutputFileFactory;

/**
 * Writes what one round changes in one bucket.
 *
 * <p>Changes gather in a window that keeps the last one of each key. {@link #flushWindow} writes
 * the window's rows and marks the versions before them as deleted, wherever those lie: in a file of
 * an earlier round, or in this round's own file where the key was in an earlier window.
 */
final class BucketWriter {
  private static final long CHANGE_OVERHEAD_BYTES = 160;

  /** The last change of a key; without a row it is a deletion. */
  private record Change(Optional<Record> row, long bytes) {}

  private final Table table;
  private final int bucket;
  private final BucketIndex index;
  private final KeyCodec codec;
  private final LakeRows lakeRows;
  private final PartitionData partition;
  private final RowFiles rowFiles;
  private final BaseDVFileWriter vectors;
  private final Map<ByteBuffer, Change> window = new LinkedHashMap<>();
  private int file;
  private long windowBytes;
  private long changeCount;

  BucketWriter(
      Table table,
      int bucket,
      String roundId,
      BucketIndex index,
      KeyCodec codec,
      LakeRows lakeRows) {
    this.table = table;
    this.bucket = bucket;
    this.index = index;
    this.codec = codec;
    this.lakeRows = lakeRows;
    this.partition = new PartitionData(table.spec().partitionType());
    this.partition.set(0, bucket);
    this.rowFiles = new RowFiles(table, partition, files(roundId, FileFormat.PARQUET));
    this.vectors = new BaseDVFileWriter(files(roundId, FileFormat.PUFFIN), this::vectorBefore);
  }

  private OutputFileFactory files(String roundId, FileFormat format) {
    return OutputFileFactory.builderFor(table, bucket, 0)
        .operationId(roundId)
        .format(format)
        .build();
  }

  // Null is what BaseDVFileWriter takes for "none".
  private PositionDeleteIndex vectorBefore(String location) {
    return index
        .files()
        .vector(location)
        .map(
            vector ->
                IndexRebuild.vectorLoader(table).loadPositionDeletes(List.of(vector), location))
        .orElse(null);
  }

  /** Takes a change into the window. −U is ignored: the change after it has the same key. */
  void add(ScanRecord change) {
    ChangeType type = change.getChangeType();
    if (type == ChangeType.UPDATE_BEFORE) {
      return;
    }
    ByteBuffer key = ByteBuffer.wrap(codec.encodeRow(change.getRow()));
    Optional<Record> row =
        type == ChangeType.DELETE
            ? Optional.empty()
            : Optional.of(lakeRows.convert(change.getRow(), bucket));
    long bytes =
        CHANGE_OVERHEAD_BYTES + key.remaining() + row.map(LakeRows::estimateBytes).orElse(0L);
    Change before = window.put(key, new Change(row, bytes));
    windowBytes += bytes - (before == null ? 0 : before.bytes());
    changeCount++;
  }

  /** What the window takes in memory, roughly, in bytes. */
  long windowBytes() {
    return windowBytes;
  }

  /** Writes the window's changes out and empties it. */
  void flushWindow() throws IOException {
    try (KeyIndex.Changes changes = index.changes()) {
      for (Map.Entry<ByteBuffer, Change> entry : window.entrySet()) {
        write(entry.getKey().array(), entry.getValue(), changes);
      }
      changes.apply();
    }
    window.clear();
    windowBytes = 0;
  }

  private void write(byte[] key, Change change, KeyIndex.Changes changes) throws IOException {
    Optional<RowPlace> before = index.find(key);
    if (before.isPresent()) {
      RowPlace place = before.get();
      vectors.delete(
          index.files().location(place.file()), place.position(), table.spec(), partition);
    }
    if (change.row().isPresent()) {
      if (rowFiles.needsFile()) {
        file = index.files().add(rowFiles.startFile());
      }
      long position = rowFiles.write(change.row().get(), change.bytes());
      changes.put(key, new RowPlace(file, position));
    } else if (before.isPresent()) {
      changes.delete(key);
    }
  }

  /** Writes what is left and ends the files. */
  RoundFiles finish() throws IOException {
    flushWindow();
    var dataFiles = rowFiles.finish();
    vectors.close();
    DeleteWriteResult deletes = vectors.result();
    for (DeleteFile vector : deletes.deleteFiles()) {
      index.files().replaceVector(vector.copyWithoutStats());
    }
    return new RoundFiles(
        dataFiles, deletes.deleteFiles(), deletes.rewrittenDeleteFiles(), changeCount);
  }

  /** Closes what is open and deletes the rows' files; a vector file exists only after finish. */
  void abort() throws IOException {
    for (String location : rowFiles.abort()) {
      table.io().deleteFile(location);
    }
  }
}
