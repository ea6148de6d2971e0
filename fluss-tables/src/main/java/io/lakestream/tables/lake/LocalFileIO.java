package io.lakestream.tables.lake;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.apache.iceberg.Files;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;

/**
 * Files of the lake in a local folder, for laptop mode. Iceberg's own local choice goes through
 * Hadoop's file system, which starts a process per new file to set its permissions.
 */
public final class LocalFileIO implements FileIO {
  @Override
  public InputFile newInputFile(String location) {
    return Files.localInput(file(location));
  }

  @Override
  public OutputFile newOutputFile(String location) {
    return Files.localOutput(file(location));
  }

  @Override
  public void deleteFile(String location) {
    try {
      java.nio.file.Files.deleteIfExists(file(location).toPath());
    } catch (IOException e) {
      throw new LakestreamException(
          e, ErrorCode.LAKE_FAILED, "Cannot delete lake file %s: %s", location, ErrorText.of(e));
    }
  }

  @Override
  public void initialize(Map<String, String> properties) {
    // Nothing to set up: a location is all it takes.
  }

  private static File file(String location) {
    return location.startsWith("file:")
        ? Path.of(URI.create(location).getPath()).toFile()
        : new File(location);
  }
}
