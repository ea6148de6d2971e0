package io.lakestream.tiering.index;

import static io.lakestream.tables.error.Checks.checkProtocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.DeleteFile;

/** The data files of one bucket, by ordinal, and the deletion vector of each. For one thread. */
public final class BucketFiles {
  private final List<String> locations = new ArrayList<>();
  private final Map<String, DeleteFile> vectors = new HashMap<>();

  /** Adds a data file and returns its ordinal. */
  public int add(String location) {
    locations.add(location);
    return locations.size() - 1;
  }

  /** Location of a data file. */
  public String location(int ordinal) {
    checkProtocol(
        ordinal < locations.size(),
        "Key index names data file %s of %s",
        ordinal,
        locations.size());
    return locations.get(ordinal);
  }

  /** The deletion vector of a data file. */
  public Optional<DeleteFile> vector(String location) {
    return Optional.ofNullable(vectors.get(location));
  }

  /** Sets the deletion vector of the data file that it names. */
  public void replaceVector(DeleteFile vector) {
    vectors.put(vector.referencedDataFile(), vector);
  }

  /** Number of data files. */
  public int size() {
    return locations.size();
  }
}
