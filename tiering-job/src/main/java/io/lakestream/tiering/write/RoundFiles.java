package io.lakestream.tiering.write;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;

/**
 * What a share of a round wrote.
 *
 * @param dataFiles new rows
 * @param vectors new deletion vectors
 * @param replacedVectors vectors that the new ones include
 * @param changes number of changes read, −U not counted
 */
public record RoundFiles(
    List<DataFile> dataFiles,
    List<DeleteFile> vectors,
    List<DeleteFile> replacedVectors,
    long changes)
    implements Serializable {
  public RoundFiles {
    dataFiles = List.copyOf(dataFiles);
    vectors = List.copyOf(vectors);
    replacedVectors = List.copyOf(replacedVectors);
  }

  /** Nothing written. */
  public static RoundFiles none() {
    return new RoundFiles(List.of(), List.of(), List.of(), 0);
  }

  /** Both together. */
  public RoundFiles plus(RoundFiles other) {
    return new RoundFiles(
        concat(dataFiles, other.dataFiles),
        concat(vectors, other.vectors),
        concat(replacedVectors, other.replacedVectors),
        changes + other.changes);
  }

  private static <T> List<T> concat(List<T> first, List<T> second) {
    List<T> all = new ArrayList<>(first);
    all.addAll(second);
    return all;
  }
}
