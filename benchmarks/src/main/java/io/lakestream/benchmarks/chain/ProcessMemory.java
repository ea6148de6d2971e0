package io.lakestream.benchmarks.chain;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Resident memory of a process and of all that it started. */
final class ProcessMemory {
  private static final long KIB = 1024;

  private ProcessMemory() {}

  /**
   * Sums the resident memory of {@code roots} and their descendants, in bytes. On Linux each shared
   * page counts once (proportional set size), elsewhere once per process, which is an upper bound.
   */
  static long residentBytes(Collection<ProcessHandle> roots) throws IOException {
    Map<Long, ProcessHandle> processes = new LinkedHashMap<>();
    for (ProcessHandle root : roots) {
      Stream.concat(Stream.of(root), root.descendants()).forEach(p -> processes.put(p.pid(), p));
    }
    long bytes = 0;
    for (ProcessHandle process : processes.values()) {
      if (process.isAlive()) {
        bytes += residentBytes(process.pid());
      }
    }
    return bytes;
  }

  private static long residentBytes(long pid) throws IOException {
    Path rollup = Path.of("/proc", Long.toString(pid), "smaps_rollup");
    if (Files.isReadable(rollup)) {
      for (String line : Files.readAllLines(rollup)) {
        if (line.startsWith("Pss:")) {
          return KIB * Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
      }
    }
    Process ps = new ProcessBuilder(List.of("ps", "-o", "rss=", "-p", Long.toString(pid))).start();
    String text = new String(ps.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
    return text.isEmpty() ? 0 : KIB * Long.parseLong(text);
  }
}
