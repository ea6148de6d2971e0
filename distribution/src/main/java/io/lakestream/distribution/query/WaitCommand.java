package io.lakestream.distribution.query;

import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.distribution.cli.DataOption;
import io.lakestream.distribution.cli.ExitCode;
import io.lakestream.distribution.laptop.Instance;
import io.lakestream.distribution.verify.CutWait;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.union.UnionReader;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "wait",
    description = {
      "Returns once the view covers what the source has committed by now, or a given position: what you wrote before is what you read after. Connects to the source, unless --position is given."
    },
    footer = {
      "",
      "Examples:",
      "  psql shop -c \"UPDATE …\" && lakestream wait && lakestream read public.orders --where \"…\"",
      "  lakestream wait --source shop --position 0/16B3748 --timeout 5s"
    })
final class WaitCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private DataOption data;

  @Option(
      names = "--source",
      paramLabel = "S",
      description = "Source to wait for; not needed where there is only one.")
  private String source;

  @Option(
      names = "--position",
      paramLabel = "P",
      description =
          "Position to wait for, such as 0/16B3748 or binlog.000042:1234 (default: the source's own, now).")
  private String position;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "30s",
      converter = DurationConverter.class,
      description = "Gives up after this time, with exit code 4 (default: ${DEFAULT-VALUE}).")
  private Duration timeout;

  @Override
  public Integer call() {
    long began = System.nanoTime();
    try (Instance instance = data.open();
        UnionReader reader = UnionReader.open(instance.tables(), instance.lake())) {
      String name = SourceChoice.find(instance, source);
      SourcePosition wanted =
          position == null ? mark(instance, name) : instance.parsePosition(name, position);
      Cut cut = CutWait.await(reader, name, wanted, timeout, Optional::empty);
      PrintWriter out = spec.commandLine().getOut();
      out.printf(
          "covered source=%s position=%s cut=%s waited_ms=%d%n",
          name, wanted, cut.position(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
      out.flush();
      return ExitCode.OK;
    }
  }

  private static SourcePosition mark(Instance instance, String name) {
    try (SourceConnection opened = SourceConnection.open(instance.source(name))) {
      return opened.mark();
    }
  }
}
