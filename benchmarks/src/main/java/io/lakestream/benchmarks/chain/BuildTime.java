package io.lakestream.benchmarks.chain;

import io.lakestream.benchmarks.BenchRun;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Times {@code mvn verify} on a fresh clone. */
final class BuildTime {
  private BuildTime() {}

  /** Minutes that it takes; fails where it fails. */
  static double minutes(BenchRun run) throws IOException, InterruptedException {
    Path clone = run.work().resolve("clone");
    Path log = run.work().resolve("verify.txt");
    execute(
        run.work(), log, List.of("git", "clone", "-q", run.home().toString(), clone.toString()));
    long started = System.nanoTime();
    execute(clone, log, List.of("mvn", "-B", "-ntp", "verify"));
    return (System.nanoTime() - started) / 60e9;
  }

  private static void execute(Path folder, Path log, List<String> command)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    int code = process.waitFor();
    if (code != 0) {
      List<String> lines = Files.readAllLines(log);
      throw new LakestreamException(
          ErrorCode.INTERNAL,
          "Command %s failed with exit code %s:%n%s",
          command,
          code,
          String.join("\n", lines.subList(Math.max(0, lines.size() - 40), lines.size())));
    }
  }
}
