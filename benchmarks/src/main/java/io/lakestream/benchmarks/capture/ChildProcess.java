package io.lakestream.benchmarks.capture;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A Java process with this one's class path that answers commands, one line each. */
final class ChildProcess implements AutoCloseable {
  private static final int STOP_SECONDS = 60;

  private final Process process;
  private final Path log;
  private final PrintWriter commands;
  private final BufferedReader answers;

  private ChildProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
    this.commands = new PrintWriter(process.outputWriter(), true);
    this.answers = process.inputReader();
  }

  /**
   * Starts one.
   *
   * @param heap for example {@code 512m}
   * @param log file of its error output
   */
  static ChildProcess start(
      Class<?> main, String heap, Path log, Map<String, String> environment, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String name : List.of("nio", "lang", "util")) {
      command.add("--add-opens=java.base/java." + name + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-Xmx" + heap, "-XX:+UseG1GC", "-XX:+ExitOnOutOfMemoryError", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
    builder.environment().putAll(environment);
    return new ChildProcess(builder.start(), log);
  }

  /**
   * Sends a command and waits for its answer.
   *
   * @return the numbers after {@code ok}
   * @throws LakestreamException where the process ends instead; with the end of its output
   */
  List<String> ask(String command) throws IOException {
    commands.println(command);
    return answer();
  }

  /** Waits for an answer that no command asked for: the one that says that it is up. */
  List<String> answer() throws IOException {
    String line = answers.readLine();
    while (line != null) {
      if (line.startsWith(SubjectMain.ANSWER)) {
        List<String> words = List.of(line.substring(SubjectMain.ANSWER.length()).split(" "));
        return words.subList(1, words.size());
      }
      line = answers.readLine();
    }
    List<String> output = Files.readAllLines(log);
    throw new LakestreamException(
        ErrorCode.INTERNAL,
        "A measured process ended:%n%s",
        String.join("\n", output.subList(Math.max(0, output.size() - 30), output.size())));
  }

  /** Closes its standard input, which ends it, and waits. */
  @Override
  public void close() {
    commands.close();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new LakestreamException(
            ErrorCode.TIMEOUT, "A measured process did not end within %s s", STOP_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
