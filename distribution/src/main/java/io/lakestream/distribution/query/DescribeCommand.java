package io.lakestream.distribution.query;

import io.lakestream.distribution.cli.DataOption;
import io.lakestream.distribution.cli.ExitCode;
import io.lakestream.distribution.laptop.Instance;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.lake.LakeTables;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.TableDefinition;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "describe",
    description = "Shows a table: its columns and types, its key, and where it is kept.",
    footer = {
      "",
      "Examples:",
      "  lakestream describe public.orders",
      "  lakestream describe shop/public.orders   where several sources have one of this name"
    })
final class DescribeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private DataOption data;

  @Parameters(paramLabel = "TABLE", description = "<schema>.<table>, or <source>/<schema>.<table>.")
  private String table;

  @Override
  public Integer call() {
    try (Instance instance = data.open()) {
      LiveTable live = TableChoice.find(instance.tables().list(), table);
      PrintWriter out = spec.commandLine().getOut();
      printColumns(out, live.definition());
      out.println();
      printHomes(out, instance, live);
      out.flush();
      return ExitCode.OK;
    }
  }

  private static void printColumns(PrintWriter out, TableDefinition definition) {
    List<String[]> lines = new ArrayList<>();
    lines.add(new String[] {"column", "type", "source type", "null", "key"});
    for (Column column : definition.columns()) {
      int key = definition.primaryKey().indexOf(column.name());
      lines.add(
          new String[] {
            column.name(),
            column.type().toString(),
            column.sourceType(),
            column.sourceNotNull() ? "no" : "yes",
            key < 0 ? "" : Integer.toString(key + 1)
          });
    }
    Grid grid = new Grid(false, false, false, false, true);
    lines.forEach(grid::measure);
    out.println(grid.line(lines.get(0)));
    out.println(grid.rule());
    lines.stream().skip(1).map(grid::line).forEach(out::println);
  }

  private static void printHomes(PrintWriter out, Instance instance, LiveTable live) {
    TableDefinition definition = live.definition();
    String lake =
        instance
            .lake()
            .find(definition.name())
            .filter(table -> LakeTables.holds(table, live))
            .map(table -> table.location())
            .orElse("not there yet");
    List<String[]> lines =
        List.of(
            new String[] {"table", definition.name().display()},
            new String[] {"source", definition.name().source()},
            new String[] {"primary key", String.join(", ", definition.primaryKey())},
            new String[] {"fluss", live.path() + " (id " + live.tableId() + ")"},
            new String[] {"buckets", Integer.toString(definition.buckets())},
            new String[] {"iceberg", definition.name().toIceberg().toString()},
            new String[] {"lake location", lake});
    Grid grid = new Grid(false, false);
    lines.forEach(grid::measure);
    lines.stream().map(grid::line).forEach(out::println);
  }
}
