package io.lakestream.distribution.query;

import static io.lakestream.tables.error.Checks.checkArgument;

import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.position.CapturedTable;
import io.lakestream.distribution.cli.DataOption;
import io.lakestream.distribution.cli.ExitCode;
import io.lakestream.distribution.laptop.Instance;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.error.NearName;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "resync",
    description = {
      "Copies tables anew while all else streams: after a change of their columns, after changes were lost, or when in doubt. Reads show what the view held of them before, until the copy is whole. Begins within seconds; 'lakestream status' shows how far it is."
    },
    footer = {
      "",
      "Examples:",
      "  lakestream cdc resync public.orders",
      "  lakestream cdc resync --source shop --all      also takes a new place in the source's log"
    })
final class ResyncCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private DataOption data;

  @Parameters(
      paramLabel = "TABLE",
      arity = "0..*",
      description = "Tables to copy anew, as <schema>.<table>.")
  private List<String> tables = List.of();

  @Option(
      names = "--source",
      paramLabel = "S",
      description = "Source of the tables; not needed where there is only one.")
  private String source;

  @Option(names = "--all", description = "All tables of the source.")
  private boolean all;

  @Override
  public Integer call() {
    checkArgument(all == tables.isEmpty(), "Name the tables to copy anew, or --all, and not both");
    try (Instance instance = data.open()) {
      String name = SourceChoice.find(instance, source);
      try (CaptureProgress progress = CaptureProgress.open(instance.tables(), name)) {
        List<String> captured = progress.tables().stream().map(CapturedTable::display).toList();
        tables.forEach(table -> requireCaptured(name, captured, table));
        tables.forEach(progress::requestResync);
        if (all) {
          progress.requestResyncOfAll();
        }
        PrintWriter out = spec.commandLine().getOut();
        (all ? captured : tables)
            .forEach(table -> out.printf("requested source=%s table=%s%n", name, table));
        out.flush();
      }
      return ExitCode.OK;
    }
  }

  private static void requireCaptured(String source, List<String> captured, String table) {
    if (!captured.contains(table)) {
      throw new LakestreamException(
          ErrorCode.UNKNOWN_TABLE,
          "Source %s captures no table %s.%s 'lakestream tables' lists them.",
          source,
          table,
          NearName.of(table, captured).map(near -> " Did you mean " + near + "?").orElse(""));
    }
  }
}
