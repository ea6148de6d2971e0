package io.lakestream.benchmarks.chain;

import io.lakestream.benchmarks.BenchRun;
import io.lakestream.distribution.laptop.Instance;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code lakestream demo} as a user starts it: a process of its own, on a folder of its own. */
final class DemoProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
  private static final int POLL_MS = 200;

  private final Process process;
  private final Path data;
  private final Path output;
  private final long startedNanos;

  private DemoProcess(Process process, Path data, Path output, long startedNanos) {
    this.process = process;
    this.data = data;
    this.output = output;
    this.startedNanos = startedNanos;
  }

  static DemoProcess start(BenchRun run, List<String> options) throws IOException {
    Path data = run.work().resolve("data");
    Path output = run.work().resolve("demo.txt");
    List<String> command = new ArrayList<>();
    command.add(run.home().resolve("lakestream").toString());
    command.add("demo");
    command.add("--data");
    command.add(data.toString());
    command.addAll(options);
    long now = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new DemoProcess(process, data, output, now);
  }

  /** Seconds since the command was given. */
  double seconds() {
    return (System.nanoTime() - startedNanos) / 1e9;
  }

  /** Waits until the instance tells its endpoints and captures a source. */
  Instance awaitInstance() throws IOException, InterruptedException {
    while (true) {
      try {
        Instance instance = Instance.open(data);
        if (!instance.endpoints().sources().isEmpty()) {
          return instance;
        }
        instance.close();
      } catch (LakestreamException e) {
        if (e.code() != ErrorCode.NOT_RUNNING || seconds() > START_LIMIT.toSeconds()) {
          throw e;
        }
      }
      if (process.waitFor(POLL_MS, TimeUnit.MILLISECONDS)) {
        throw new LakestreamException(
            ErrorCode.NOT_RUNNING,
            "The demo ended with exit code %s:%n%s",
            process.exitValue(),
            Files.readString(output));
      }
    }
  }

  /** The demo's own process and PostgreSQL's, which is a process beside it. */
  List<ProcessHandle> processes() throws IOException {
    List<ProcessHandle> processes = new ArrayList<>();
    processes.add(process.toHandle());
    try (Stream<Path> files = Files.walk(data, 4)) {
      for (Path pidFile : files.filter(f -> f.endsWith("postmaster.pid")).toList()) {
        long pid = Long.parseLong(Files.readAllLines(pidFile).get(0).strip());
        Optional<ProcessHandle> postmaster = ProcessHandle.of(pid);
        postmaster.ifPresent(processes::add);
      }
    }
    if (processes.size() < 2) {
      throw new LakestreamException(
          ErrorCode.INTERNAL, "Cannot measure memory: no PostgreSQL process below %s", data);
    }
    return processes;
  }

  /** Ends the demo as Ctrl-C does, and waits for it. */
  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new LakestreamException(
            ErrorCode.TIMEOUT,
            "The demo did not end within %s s and was killed. Its last output:%n%s",
            STOP_LIMIT.toSeconds(),
            Files.readString(output));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
