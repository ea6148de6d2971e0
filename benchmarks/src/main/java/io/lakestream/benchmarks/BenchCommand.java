package io.lakestream.benchmarks;

import io.lakestream.benchmarks.capture.CaptureSuite;
import io.lakestream.benchmarks.chain.ChainSuite;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lakestream bench}: lists and runs the suites. */
@Command(
    name = "bench",
    description = "Measures Lakestream on this machine.",
    footer = {
      "",
      "Examples:",
      "  lakestream bench list              the suites",
      "  lakestream bench run chain         latencies and memory of the demo",
      "  lakestream bench run capture       capture beside Debezium into nothing",
      "  lakestream bench run chain --with-build   and the time of mvn verify"
    })
final class BenchCommand implements Callable<Integer> {
  static final List<Suite> SUITES = List.of(new ChainSuite(), new CaptureSuite());
  private static final List<String> KINDS = List.of("postgres", "mariadb");

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "Missing a sub-command: list or run");
  }

  @Command(name = "list", description = "Lists the suites.")
  int list() {
    PrintWriter out = spec.commandLine().getOut();
    SUITES.forEach(suite -> out.printf("%-10s %s%n", suite.name(), suite.description()));
    return 0;
  }

  @Command(
      name = "run",
      description = {
        "Runs a suite and prints its figures.",
        "They are the last lines: figure=NAME value=V unit=U goal=G",
        "Exit code 1 where a figure misses its goal."
      })
  int run(
      @Parameters(paramLabel = "SUITE", description = "Name of a suite, see 'bench list'.")
          String name,
      @Option(
              names = "--probes",
              paramLabel = "N",
              defaultValue = "60",
              description = "How often each latency is measured (default: ${DEFAULT-VALUE}).")
          int probes,
      @Option(
              names = "--scale",
              paramLabel = "FACTOR",
              defaultValue = "1",
              description =
                  "Factor of the number of rows, for suites that load some (default: ${DEFAULT-VALUE}).")
          double scale,
      @Option(
              names = "--source",
              paramLabel = "KIND",
              defaultValue = "",
              description =
                  "Only this kind of database, for suites with several: postgres, mariadb.")
          String source,
      @Option(
              names = "--with-build",
              description = "Also measures 'mvn verify' on a fresh clone: many minutes.")
          boolean withBuild)
      throws Exception {
    if (probes < 1) {
      throw new ParameterException(
          spec.commandLine(), "Invalid value for --probes: " + probes + " (must be >= 1)");
    }
    if (!(scale > 0)) {
      throw new ParameterException(
          spec.commandLine(), "Invalid value for --scale: " + scale + " (must be > 0)");
    }
    if (!source.isEmpty() && !KINDS.contains(source)) {
      throw new ParameterException(
          spec.commandLine(),
          "Invalid value for --source: '" + source + "' (one of " + String.join(", ", KINDS) + ")");
    }
    Suite suite = find(name);
    Path work = Files.createTempDirectory("lakestream-bench");
    try {
      PrintWriter out = spec.commandLine().getOut();
      BenchRun run =
          new BenchRun(home(), work, probes, scale, source, withBuild, spec.commandLine().getErr());
      List<Figure> figures = suite.run(run);
      figures.forEach(out::println);
      out.flush();
      return figures.stream().allMatch(Figure::meetsGoal) ? 0 : 1;
    } finally {
      delete(work);
    }
  }

  private Suite find(String name) {
    return SUITES.stream()
        .filter(suite -> suite.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "Unknown suite: '"
                        + name
                        + "' (one of "
                        + String.join(", ", SUITES.stream().map(Suite::name).toList())
                        + ")"));
  }

  private static Path home() {
    String home = System.getProperty("lakestream.home");
    if (home == null) {
      throw new LakestreamException(
          ErrorCode.INVALID_ARGUMENT,
          "Cannot run a suite: lakestream.home is not set. Start it with the lakestream script.");
    }
    return Path.of(home);
  }

  private static void delete(Path folder) throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(folder)) {
      paths = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : paths) {
      Files.deleteIfExists(path);
    }
  }
}
