package io.lakestream.distribution.laptop;

import io.lakestream.distribution.cli.Version;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The one folder that holds everything, locked by the process that runs on it. The operating system
 * drops the lock with the process, so a killed one never has to be cleaned up after.
 */
public final class DataFolder implements AutoCloseable {
  /**
   * Version of the folder's layout. Greater than what an older build knows: it must not touch it.
   */
  static final int FORMAT = 1;

  private static final String LOCK = "lock";
  private static final String PID = "pid";
  private static final String FORMAT_FILE = "format";

  // A process loses its POSIX locks on a file when it closes any of its handles of that file, so a
  // second handle in the process that holds the lock would give the folder away.
  private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final Path held;
  private final FileChannel channel;

  private DataFolder(Path path, Path held, FileChannel channel) {
    this.path = path;
    this.held = held;
    this.channel = channel;
  }

  /**
   * Creates the folder where it is missing and takes it for this process.
   *
   * @throws LakestreamException DATA_FOLDER_IN_USE naming the process, DATA_FOLDER_NEWER, or
   *     INVALID_ARGUMENT where the folder cannot be written or holds something else
   */
  public static synchronized DataFolder lock(Path folder) {
    Path path = folder.toAbsolutePath().normalize();
    try {
      boolean fresh = isFresh(path);
      Files.createDirectories(path);
      Path held = path.toRealPath();
      if (!HELD_HERE.add(held)) {
        throw inUse(path);
      }
      try {
        return take(path, held, fresh);
      } catch (IOException | RuntimeException e) {
        HELD_HERE.remove(held);
        throw e;
      }
    } catch (IOException e) {
      throw new LakestreamException(
          e,
          ErrorCode.INVALID_ARGUMENT,
          "Cannot use the data folder %s: %s. Name a folder you can write to with --data.",
          path,
          e);
    }
  }

  private static DataFolder take(Path path, Path held, boolean fresh) throws IOException {
    FileChannel channel =
        FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (!tryLock(channel)) {
        throw inUse(path);
      }
      checkFormat(path, fresh);
      Files.writeString(path.resolve(PID), Long.toString(ProcessHandle.current().pid()));
      return new DataFolder(path, held, channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** True while a process holds the folder, be it this one. */
  static synchronized boolean isInUse(Path folder) {
    Path lock = folder.resolve(LOCK);
    if (!Files.exists(lock)) {
      return false;
    }
    try {
      if (HELD_HERE.contains(folder.toRealPath())) {
        return true;
      }
      try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.WRITE)) {
        return !tryLock(channel);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean tryLock(FileChannel channel) throws IOException {
    FileLock lock = channel.tryLock();
    return lock != null;
  }

  // A folder with other files in it is someone's home, not ours.
  private static boolean isFresh(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return true;
    }
    try (var files = Files.list(path)) {
      return files.findAny().isEmpty();
    }
  }

  private static void checkFormat(Path path, boolean fresh) throws IOException {
    Path file = path.resolve(FORMAT_FILE);
    if (!Files.exists(file)) {
      if (!fresh && Files.exists(path.resolve(PID))) {
        fresh = true; // a start that died between the lock and the format
      }
      if (!fresh && !onlyLock(path)) {
        throw new LakestreamException(
            ErrorCode.INVALID_ARGUMENT,
            "Cannot use %s as data folder: it holds files that are not Lakestream's. Name an empty or new folder with --data.",
            path);
      }
      Files.writeString(file, FORMAT + "\n");
      return;
    }
    String found = Files.readString(file).strip();
    int format = found.matches("\\d{1,9}") ? Integer.parseInt(found) : Integer.MAX_VALUE;
    if (format > FORMAT) {
      throw new LakestreamException(
          ErrorCode.DATA_FOLDER_NEWER,
          "Cannot use the data folder %s: a newer Lakestream wrote it (format %s, this version %s knows up to %s). Use the newer version, or another folder with --data.",
          path,
          found,
          Version.lakestream(),
          FORMAT);
    }
  }

  private static boolean onlyLock(Path path) throws IOException {
    try (var files = Files.list(path)) {
      return files.allMatch(file -> file.getFileName().toString().equals(LOCK));
    }
  }

  private static LakestreamException inUse(Path path) throws IOException {
    Path pid = path.resolve(PID);
    String owner = Files.exists(pid) ? "process " + Files.readString(pid).strip() : "a process";
    return new LakestreamException(
        ErrorCode.DATA_FOLDER_IN_USE,
        "Cannot use the data folder %s: %s is running on it. Stop it, or name another folder with --data.",
        path,
        owner);
  }

  /** Absolute path of the folder. */
  public Path path() {
    return path;
  }

  /** A folder inside, created where it is missing. */
  public Path folder(String name) {
    try {
      return Files.createDirectories(path.resolve(name));
    } catch (IOException e) {
      throw new LakestreamException(
          e, ErrorCode.INVALID_ARGUMENT, "Cannot create %s: %s", path.resolve(name), e);
    }
  }

  /** Gives the folder back. */
  @Override
  public void close() {
    try {
      Files.deleteIfExists(path.resolve(PID));
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot release " + path, e);
    } finally {
      HELD_HERE.remove(held);
    }
  }
}
