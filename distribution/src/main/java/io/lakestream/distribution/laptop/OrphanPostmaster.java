package io.lakestream.distribution.laptop;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL server that outlived the process it belonged to. A kill -9 ends the JVM and leaves
 * PostgreSQL running on its data folder, where a second one cannot start.
 */
final class OrphanPostmaster {
  private static final Logger LOG = LoggerFactory.getLogger(OrphanPostmaster.class);
  private static final String PID_FILE = "postmaster.pid";
  private static final long FAST_LIMIT_S = 10;

  private OrphanPostmaster() {}

  /**
   * Stops the server that runs on this data directory, if any, and removes a pid file that no
   * server stands behind. The caller holds the data folder's lock.
   */
  static void stop(Path data) {
    Path pidFile = data.resolve(PID_FILE);
    try {
      if (!Files.exists(pidFile)) {
        return;
      }
      List<String> lines = Files.readAllLines(pidFile);
      Optional<ProcessHandle> server =
          lines.isEmpty() || !lines.get(0).strip().matches("-?\\d+")
              ? Optional.empty()
              : ProcessHandle.of(Math.abs(Long.parseLong(lines.get(0).strip())))
                  .filter(process -> servesFrom(process, data));
      if (server.isPresent()) {
        LOG.warn("Stopping PostgreSQL of a killed run: pid={}", server.get().pid());
        stop(server.get());
      }
      // After a reboot the number may belong to any process, and PostgreSQL would refuse to start.
      Files.deleteIfExists(pidFile);
    } catch (IOException e) {
      throw new LakestreamException(
          e, ErrorCode.INTERNAL, "Cannot stop the PostgreSQL of an earlier run: %s", e);
    }
  }

  private static boolean servesFrom(ProcessHandle process, Path data) {
    ProcessHandle.Info info = process.info();
    List<String> arguments = List.of(info.arguments().orElse(new String[0]));
    return process.isAlive()
        && info.command().map(command -> command.endsWith("postgres")).orElse(false)
        && (arguments.contains(data.toString())
            || info.commandLine().map(line -> line.contains(data.toString())).orElse(false));
  }

  // SIGINT ends sessions and writes a checkpoint; SIGQUIT leaves the rest to recovery.
  private static void stop(ProcessHandle server) throws IOException {
    if (!signal(server, "-INT") && !signal(server, "-QUIT")) {
      throw new LakestreamException(
          ErrorCode.DATA_FOLDER_IN_USE,
          "Cannot stop the PostgreSQL of an earlier run, process %s. End it by hand, then start again.",
          server.pid());
    }
  }

  private static boolean signal(ProcessHandle server, String signal) throws IOException {
    new ProcessBuilder("kill", signal, Long.toString(server.pid())).start();
    try {
      server.onExit().get(FAST_LIMIT_S, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException e) {
      LOG.warn("PostgreSQL does not stop: pid={} signal={}", server.pid(), signal);
      return false;
    } catch (ExecutionException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
