package io.lakestream.distribution.laptop;

import io.lakestream.distribution.config.DataSize;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Watches the free space below the data folder. What runs stops cleanly before the disk is full:
 * afterwards nothing could be closed cleanly any more.
 */
final class DiskGuard {
  private final Path folder;
  private final DataSize needed;

  DiskGuard(Path folder, DataSize needed) {
    this.folder = folder;
    this.needed = needed;
  }

  /** DATA_FOLDER_FULL where less than the limit is free; otherwise empty. */
  Optional<LakestreamException> check() {
    long free;
    try {
      free = Files.getFileStore(folder).getUsableSpace();
    } catch (IOException e) {
      return Optional.of(
          new LakestreamException(
              e, ErrorCode.DATA_FOLDER_FULL, "Cannot read the free space of %s: %s", folder, e));
    }
    if (free >= needed.bytes()) {
      return Optional.empty();
    }
    return Optional.of(
        new LakestreamException(
            ErrorCode.DATA_FOLDER_FULL,
            "Cannot go on in the data folder %s: %s are free and %s are needed. Free some space, name a folder on another disk with --data, or lower min-free-space.",
            folder,
            new DataSize(free),
            needed));
  }
}
