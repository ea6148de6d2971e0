package io.lakestream.benchmarks.capture;

import com.sun.management.ThreadMXBean;
import io.lakestream.benchmarks.Percentile;
import io.lakestream.cdc.source.Secret;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceType;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Process of one subject. Reads a command a line from standard input and answers each with one line
 * on standard output: {@code ok}, or {@code ok} and numbers.
 *
 * <ul>
 *   <li>{@code copy NAME DATABASE TABLE ROWS}: seconds, rows there, allocated bytes
 *   <li>{@code stop}
 *   <li>{@code drain CHANGES}: seconds, rows there, allocated bytes
 *   <li>{@code resume}, then {@code lag PROBES}: p50 and p95 in milliseconds
 *   <li>{@code heap}: live bytes after a collection
 * </ul>
 */
final class SubjectMain {
  static final String ANSWER = "answer ";
  static final String PASSWORD_VARIABLE = "BENCH_PASSWORD";
  private static final double NANOS = 1e9;

  private final Subject subject;
  private final SourceType type;
  private final String host;
  private final int port;
  private final String user;

  private SubjectMain(Subject subject, SourceType type, String host, int port, String user) {
    this.subject = subject;
    this.type = type;
    this.host = host;
    this.port = port;
    this.user = user;
  }

  /** Arguments: subject, Fluss's bootstrap server, folder, kind of database, host, port, user. */
  public static void main(String[] arguments) throws Exception {
    Subject subject =
        arguments[0].equals("lakestream")
            ? new LakestreamSubject(arguments[1])
            : new DebeziumSubject(Path.of(arguments[2]));
    SubjectMain main =
        new SubjectMain(
            subject,
            SourceType.valueOf(arguments[3]),
            arguments[4],
            Integer.parseInt(arguments[5]),
            arguments[6]);
    try {
      main.serve();
      subject.end();
      System.exit(0);
    } catch (Exception e) {
      // Threads of the subject would keep the process alive, and its parent waiting.
      e.printStackTrace();
      System.exit(1);
    }
  }

  private void serve() throws Exception {
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String command = commands.readLine();
    while (command != null) {
      System.out.println(ANSWER + answer(List.of(command.split(" "))));
      command = commands.readLine();
    }
  }

  private String answer(List<String> command) throws Exception {
    return switch (command.get(0)) {
      case "copy" -> copy(command.get(1), command.get(2), command.get(3), number(command.get(4)));
      case "stop" -> {
        subject.stop();
        yield "ok";
      }
      case "drain" -> drain(number(command.get(1)));
      case "resume" -> {
        ((LakestreamSubject) subject).resume();
        yield "ok";
      }
      case "lag" -> lag((int) number(command.get(1)));
      case "heap" -> "ok " + liveBytes();
      default -> throw new IllegalArgumentException("Unknown command: " + command);
    };
  }

  private static long number(String text) {
    return Long.parseLong(text);
  }

  private String copy(String name, String database, String table, long rows) throws Exception {
    String password = System.getenv(PASSWORD_VARIABLE);
    SourceConfig config =
        new SourceConfig(
            name,
            type,
            host,
            port,
            database,
            user,
            Secret.of(password == null ? "" : password),
            List.of(table),
            List.of(),
            1,
            Duration.ofSeconds(1));
    long before = allocatedBytes();
    long start = System.nanoTime();
    subject.copy(config, rows);
    double seconds = (System.nanoTime() - start) / NANOS;
    return measured(seconds, before);
  }

  private String drain(long changes) throws Exception {
    long before = allocatedBytes();
    double seconds = subject.drain(changes) / NANOS;
    return measured(seconds, before);
  }

  private String measured(double seconds, long allocatedBefore) {
    long allocated = allocatedBytes() - allocatedBefore;
    return String.format(Locale.ROOT, "ok %.6f %d %d", seconds, subject.rows(), allocated);
  }

  private String lag(int probes) {
    List<Double> lags = ((LakestreamSubject) subject).lags(probes);
    return String.format(
        Locale.ROOT, "ok %.3f %.3f", Percentile.of(lags, 50), Percentile.of(lags, 95));
  }

  /** Bytes that the threads alive now have allocated; whoever ended does not count. */
  private static long allocatedBytes() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long sum = 0;
    for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
      sum += Math.max(bytes, 0);
    }
    return sum;
  }

  private static long liveBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
