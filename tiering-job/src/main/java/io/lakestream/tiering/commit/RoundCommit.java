package io.lakestream.tiering.commit;

import static io.lakestream.tables.error.Checks.checkProtocol;

import io.lakestream.tables.lake.TieredOffsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;

/**
 * What one round adds to a lake table: files and offsets, to be committed together.
 *
 * @param base snapshot that the round extends; empty where the table has none yet
 * @param startOffsets offsets of the base per bucket; a bucket that is not named: 0
 * @param offsets what the new snapshot's summary will say; its parent is {@code base}
 * @param dataFiles new rows
 * @param vectors new deletion vectors, each merged with the one before of its data file
 * @param replacedVectors the ones before
 */
public record RoundCommit(
    OptionalLong base,
    Map<Integer, Long> startOffsets,
    TieredOffsets offsets,
    List<DataFile> dataFiles,
    List<DeleteFile> vectors,
    List<DeleteFile> replacedVectors) {
  public RoundCommit {
    startOffsets = Map.copyOf(startOffsets);
    dataFiles = List.copyOf(dataFiles);
    vectors = List.copyOf(vectors);
    replacedVectors = List.copyOf(replacedVectors);
    checkProtocol(
        offsets.parentSnapshotId().equals(base),
        "Round %s extends snapshot %s and names parent %s",
        offsets.roundId(),
        base,
        offsets.parentSnapshotId());
    for (Map.Entry<Integer, Long> start : startOffsets.entrySet()) {
      checkProtocol(
          offsets.endOffset(start.getKey()) >= start.getValue(),
          "Round %s would move bucket %s back from offset %s to %s",
          offsets.roundId(),
          start.getKey(),
          start.getValue(),
          offsets.endOffset(start.getKey()));
    }
  }
}
