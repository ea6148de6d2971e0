package io.lakestream.distribution.query;

import io.lakestream.distribution.cli.ExitCode;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.system.Quarantine.Entry;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "list",
    description = "Lists the rows in quarantine, one line each.",
    footer = {
      "",
      "Examples:",
      "  lakestream cdc quarantine list",
      "  lakestream cdc quarantine list public.prices --format jsonl"
    })
final class QuarantineListCommand implements Callable<Integer> {
  private static final List<Column> COLUMNS =
      Stream.of("table", "key", "position", "column", "reason", "value")
          .map(name -> new Column(name, ColumnType.STRING, "text", true))
          .toList();

  @Spec private CommandSpec spec;
  @Mixin private CaptureTarget target;

  @Parameters(
      paramLabel = "TABLE",
      arity = "0..1",
      description = "Only this table, as <schema>.<table>.")
  private String table;

  @Option(
      names = "--format",
      paramLabel = "table|csv|jsonl",
      defaultValue = "table",
      description = "How to print (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Override
  public Integer call() throws IOException {
    try (CaptureTarget.Opened opened = target.open()) {
      RowOutput output = format.open(spec.commandLine().getOut(), COLUMNS);
      for (Entry entry : QuarantineRows.list(opened.tables(), opened.source())) {
        if (table == null || entry.table().equals(table)) {
          output.row(
              new Object[] {
                entry.table(),
                entry.key(),
                entry.position(),
                entry.column(),
                entry.reason(),
                entry.value()
              });
        }
      }
      output.end();
    }
    return ExitCode.OK;
  }
}
