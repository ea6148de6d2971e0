package io.lakestream.distribution.query;

import static io.lakestream.tables.error.Checks.checkArgument;

import io.lakestream.distribution.cli.ExitCode;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.system.CaptureRequests;
import io.lakestream.tables.system.CaptureRequests.Kind;
import io.lakestream.tables.system.CaptureRequests.Request;
import io.lakestream.tables.system.Quarantine.Entry;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Asks capture for something about rows in quarantine. Use as a picocli mixin. */
final class QuarantineRequest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(200);

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Mixin private CaptureTarget target;

  @Parameters(index = "0", paramLabel = "TABLE", description = "The table, as <schema>.<table>.")
  private String table;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "KEY",
      description = "Key of a row as 'list' prints it, or its values with commas between them.")
  private String key;

  @Option(names = "--all", description = "All rows of the table.")
  private boolean all;

  /**
   * Asks, waits for the answer and prints it.
   *
   * @throws LakestreamException NOT_RUNNING where nobody captures the source, so that the request
   *     waits
   */
  int send(Kind kind) {
    checkArgument(all == (key == null), "Name a KEY, or --all for all rows of the table");
    try (CaptureTarget.Opened opened = target.open()) {
      List<Entry> rows =
          QuarantineRows.of(QuarantineRows.list(opened.tables(), opened.source()), table);
      String chosen = all ? "" : QuarantineRows.find(rows, key).key();
      Request request =
          new Request(opened.source(), UUID.randomUUID().toString(), kind, table, chosen, "");
      try (CaptureRequests requests = CaptureRequests.open(opened.tables())) {
        requests.put(request);
        String answer = await(requests, request);
        requests.remove(request);
        PrintWriter out = spec.commandLine().getOut();
        out.printf("source=%s table=%s %s%n", opened.source(), table, answer);
        out.flush();
        return answer.startsWith("failed") ? ExitCode.USER : ExitCode.OK;
      }
    }
  }

  private static String await(CaptureRequests requests, Request request) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      Optional<String> answer = requests.answer(request);
      if (answer.isPresent()) {
        return answer.get();
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    throw new LakestreamException(
        ErrorCode.NOT_RUNNING,
        "Capture of source %s has not answered within %s s: it is stopped, or waits for its source. The request stays, and is carried out when capture streams again.",
        request.source(),
        PATIENCE.toSeconds());
  }
}
