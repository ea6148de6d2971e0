package io.lakestream.distribution.laptop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.server.log.checkpoint.OffsetCheckpointFile;
import org.apache.fluss.utils.FlussPaths;

/**
 * Keeps what Fluss acknowledged across a kill.
 *
 * <p>Fluss 0.9.1 writes its high watermarks down every 5 s. After a kill it starts with the last
 * ones written, makes every replica a follower until the coordinator has seen the tablet server,
 * and a follower cuts its log to the high watermark: up to 5 s of acknowledged changes would be
 * gone, although every byte is in the log files (seen in the test that kills the process; a new
 * table would even start empty).
 */
final class HighWatermarks {
  private static final String FILE = "high-watermark-checkpoint";

  private HighWatermarks() {}

  /**
   * Sets the high watermark of every bucket to the end of its log. Call before the tablet server
   * starts.
   *
   * @param data the tablet server's {@code data.dir}
   */
  static void raiseToLogEnds(Path data) throws IOException {
    if (!Files.isDirectory(data)) {
      return;
    }
    List<Path> logs;
    try (var paths = Files.walk(data)) {
      logs =
          paths
              .filter(path -> path.getFileName().toString().matches("log-\\d+"))
              .filter(Files::isDirectory)
              .toList();
    }
    // This is the only replica, so all of its log is committed: nobody else could lack a part of
    // it. Fluss takes a watermark behind the end of the log for that end.
    Map<TableBucket, Long> watermarks = new HashMap<>();
    for (Path log : logs) {
      watermarks.put(FlussPaths.parseTabletDir(log.toFile()).f1, Long.MAX_VALUE);
    }
    new OffsetCheckpointFile(data.resolve(FILE).toFile()).write(watermarks);
  }
}
