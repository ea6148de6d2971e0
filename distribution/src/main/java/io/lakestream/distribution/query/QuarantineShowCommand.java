package io.lakestream.distribution.query;

import io.lakestream.distribution.cli.ExitCode;
import io.lakestream.tables.system.Quarantine.Entry;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "show",
    description = "Shows one row in quarantine with its whole value.",
    footer = {"", "Examples:", "  lakestream cdc quarantine show public.prices 42"})
final class QuarantineShowCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private CaptureTarget target;

  @Parameters(paramLabel = "TABLE", description = "Table of the row, as <schema>.<table>.")
  private String table;

  @Parameters(
      paramLabel = "KEY",
      description = "Key of the row as 'list' prints it, or its values with commas between them.")
  private String key;

  @Override
  public Integer call() {
    try (CaptureTarget.Opened opened = target.open()) {
      Entry entry =
          QuarantineRows.find(
              QuarantineRows.of(QuarantineRows.list(opened.tables(), opened.source()), table), key);
      PrintWriter out = spec.commandLine().getOut();
      out.println("source    " + entry.source());
      out.println("table     " + entry.table());
      out.println("key       " + entry.key());
      out.println("position  " + entry.position());
      out.println("column    " + entry.column());
      out.println("reason    " + entry.reason());
      out.println("value     " + entry.value());
      out.flush();
    }
    return ExitCode.OK;
  }
}
