package io.lakestream.distribution.cli;

import io.lakestream.distribution.laptop.Instance;
import io.lakestream.distribution.verify.QuarantinedRows;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.system.StateBoard;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "tables",
    description = "Lists the tables of all sources, refused ones with the reason.",
    footer = {
      "",
      "Examples:",
      "  lakestream tables",
      "  lakestream tables --data /var/lib/lakestream"
    })
final class TablesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private DataOption data;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (Instance instance = data.open()) {
      List<StateBoard.Entry> board;
      try (StateBoard states = StateBoard.open(instance.tables())) {
        board = states.list();
      }
      lines(board, instance.tables().list(), QuarantinedRows.read(instance.tables()))
          .forEach(out::println);
    }
    out.flush();
    return ExitCode.OK;
  }

  static List<String> lines(
      List<StateBoard.Entry> board, List<LiveTable> live, QuarantinedRows quarantined) {
    Map<String, TableDefinition> definitions = new HashMap<>();
    live.forEach(
        table ->
            definitions.put(
                table.definition().name().source() + "/" + table.definition().name().display(),
                table.definition()));
    TextTable table =
        new TextTable(
            "TABLE", "SOURCE", "STATE", "PRIMARY KEY", "COLUMNS", "QUARANTINED", "REASON");
    for (StateBoard.Entry entry : board) {
      if (entry.table().isEmpty()) {
        continue;
      }
      TableDefinition definition = definitions.get(entry.source() + "/" + entry.table());
      table.add(
          entry.table(),
          entry.source(),
          entry.state(),
          definition == null ? null : String.join(", ", definition.primaryKey()),
          definition == null ? null : definition.columns().size(),
          quarantined.count(entry.source(), entry.table()),
          entry.reason());
    }
    return table.lines();
  }
}
