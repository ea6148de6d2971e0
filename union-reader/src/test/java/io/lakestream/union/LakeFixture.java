package io.lakestream.union;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.LogRangeReader;
import io.lakestream.tables.change.OffsetRange;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.lake.LakeTables;
import io.lakestream.tables.lake.TieredOffsets;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.KeyCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.record.ChangeType;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.DeleteWriteResult;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.parquet.Parquet;

/**
 * Tiers one table by hand, round by round: the least that makes a lake as the tiering job does.
 * Each round writes one Parquet file per bucket and deletion vectors for the rows it replaces.
 */
final class LakeFixture {
  private record Place(DataFile file, PartitionKey partition, long position) {}

  private final FlussTables tables;
  private final LiveTable live;
  private final Table lake;
  private final KeyCodec codec;
  private final Map<ByteBuffer, Place> places = new HashMap<>();
  private final Map<String, DeleteFile> vectors = new HashMap<>();
  private Map<Integer, Long> offsets = new TreeMap<>();
  private int rounds;

  LakeFixture(FlussTables tables, LakeTables lakeTables, LiveTable live) {
    this.tables = tables;
    this.live = live;
    this.lake = lakeTables.ensure(live);
    this.codec = KeyCodec.of(live.definition());
  }

  Table table() {
    return lake;
  }

  /** One round to the log's end. */
  Snapshot tier() {
    return tier(tables.endOffsets(live.path(), live.definition().buckets()), Optional.empty());
  }

  /** One round to a cut. */
  Snapshot tier(Cut cut) {
    Map<Integer, Long> stops = new TreeMap<>();
    for (TableBucket bucket : live.buckets()) {
      stops.put(bucket.getBucket(), cut.endOffset(bucket));
    }
    return tier(
        stops,
        Optional.of(
            new TieredOffsets.ReachedCut(cut.sequence(), cut.position(), cut.sourceTime())));
  }

  private Snapshot tier(Map<Integer, Long> stops, Optional<TieredOffsets.ReachedCut> cut) {
    lake.refresh();
    Map<ByteBuffer, Record> changes = changes(stops);
    RowDelta commit = lake.newRowDelta();
    try {
      deleteReplaced(changes, commit);
      writeLive(changes, commit);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Snapshot parent = lake.currentSnapshot();
    if (parent != null) {
      commit.validateFromSnapshot(parent.snapshotId());
    }
    new TieredOffsets(
            live.tableId(),
            stops,
            parent == null ? OptionalLong.empty() : OptionalLong.of(parent.snapshotId()),
            1,
            "round-" + rounds++,
            cut)
        .toSummary()
        .forEach(commit::set);
    commit.commit();
    offsets = stops;
    return lake.currentSnapshot();
  }

  private Map<ByteBuffer, Record> changes(Map<Integer, Long> stops) {
    Map<Integer, OffsetRange> ranges = new TreeMap<>();
    stops.forEach(
        (bucket, stop) ->
            ranges.put(bucket, new OffsetRange(offsets.getOrDefault(bucket, 0L), stop)));
    Map<ByteBuffer, Record> changes = new LinkedHashMap<>();
    try (LogRangeReader reader =
        LogRangeReader.open(tables.openTable(live.path()), ranges, Duration.ofSeconds(20))) {
      while (!reader.isFinished()) {
        reader.poll().forEach((bucket, list) -> list.forEach(c -> change(changes, bucket, c)));
      }
    }
    return changes;
  }

  private void change(Map<ByteBuffer, Record> changes, int bucket, ScanRecord change) {
    if (change.getChangeType() == ChangeType.UPDATE_BEFORE) {
      return;
    }
    Record row = GenericRecord.create(lake.schema());
    for (int i = 0; i < live.definition().columns().size(); i++) {
      Column column = live.definition().columns().get(i);
      row.setField(column.name(), column.type().readFluss(change.getRow(), i));
    }
    row.setField(Column.BUCKET, bucket);
    changes.put(
        ByteBuffer.wrap(codec.encodeRow(change.getRow())),
        change.getChangeType() == ChangeType.DELETE ? null : row);
  }

  private void deleteReplaced(Map<ByteBuffer, Record> changes, RowDelta commit) throws IOException {
    OutputFileFactory files =
        OutputFileFactory.builderFor(lake, 1, rounds).format(FileFormat.PUFFIN).build();
    BaseDeleteLoader loader = new BaseDeleteLoader(file -> lake.io().newInputFile(file.location()));
    BaseDVFileWriter writer =
        new BaseDVFileWriter(
            files,
            path -> {
              DeleteFile before = vectors.get(path);
              PositionDeleteIndex index =
                  before == null
                      ? null
                      : loader.loadPositionDeletes(java.util.List.of(before), path);
              return index;
            });
    boolean any = false;
    for (ByteBuffer key : changes.keySet()) {
      Place place = places.remove(key);
      if (place != null) {
        writer.delete(place.file().location(), place.position(), lake.spec(), place.partition());
        any = true;
      }
    }
    writer.close();
    if (any) {
      DeleteWriteResult result = writer.result();
      result.deleteFiles().forEach(commit::addDeletes);
      result.rewrittenDeleteFiles().forEach(commit::removeDeletes);
      result.deleteFiles().forEach(file -> vectors.put(file.referencedDataFile(), file));
    }
  }

  private void writeLive(Map<ByteBuffer, Record> changes, RowDelta commit) throws IOException {
    Map<Integer, Map<ByteBuffer, Record>> byBucket = new TreeMap<>();
    changes.forEach(
        (key, row) -> {
          if (row != null) {
            byBucket
                .computeIfAbsent((Integer) row.getField(Column.BUCKET), b -> new LinkedHashMap<>())
                .put(key, row);
          }
        });
    OutputFileFactory files =
        OutputFileFactory.builderFor(lake, 0, rounds).format(FileFormat.PARQUET).build();
    for (Map<ByteBuffer, Record> rows : byBucket.values()) {
      PartitionKey partition = new PartitionKey(lake.spec(), lake.schema());
      partition.partition(rows.values().iterator().next());
      DataWriter<Record> writer =
          Parquet.writeData(files.newOutputFile(lake.spec(), partition))
              .forTable(lake)
              .withPartition(partition)
              .createWriterFunc(GenericParquetWriter::create)
              .build();
      for (Record row : rows.values()) {
        writer.write(row);
      }
      writer.close();
      DataFile file = writer.toDataFile();
      commit.addRows(file);
      long position = 0;
      for (ByteBuffer key : rows.keySet()) {
        places.put(key, new Place(file, partition, position++));
      }
    }
  }
}
