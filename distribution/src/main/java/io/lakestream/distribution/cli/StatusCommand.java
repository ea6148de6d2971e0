package io.lakestream.distribution.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.lakestream.distribution.laptop.Instance;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "status",
    description = "Shows how far each source and each table has come.",
    footer = {
      "",
      "Examples:",
      "  lakestream status",
      "  lakestream status --data /var/lib/lakestream --format json",
      "",
      "JSON: sources[] with name, state, reason, position, lagMs; tables[] with source, name, state,",
      "reason, rows, tailRows, freshnessMs, lakeSnapshotId, lakeAgeMs, lakeFiles, quarantined (rows",
      "with a value that has no exact home; 'lakestream verify' names them). null: none yet."
    })
final class StatusCommand implements Callable<Integer> {
  enum Format {
    TABLE,
    JSON
  }

  @Spec private CommandSpec spec;
  @Mixin private DataOption data;

  @Option(
      names = "--format",
      paramLabel = "table|json",
      defaultValue = "table",
      description = "How to print (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Override
  public Integer call() throws JsonProcessingException {
    PrintWriter out = spec.commandLine().getOut();
    try (Instance instance = data.open()) {
      StatusReport report = StatusReport.collect(instance);
      if (format == Format.JSON) {
        out.println(json(report));
      } else {
        table(report, out);
      }
    }
    out.flush();
    return ExitCode.OK;
  }

  static String json(StatusReport report) throws JsonProcessingException {
    return new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(report);
  }

  private static void table(StatusReport report, PrintWriter out) {
    TextTable sources = new TextTable("SOURCE", "STATE", "POSITION", "LAG ms");
    for (StatusReport.Source source : report.sources()) {
      sources.add(source.name(), source.state(), source.position(), source.lagMs());
    }
    sources.lines().forEach(out::println);
    for (StatusReport.Source source : report.sources()) {
      if (!source.reason().isEmpty()) {
        out.println("  " + source.name() + ": " + source.reason());
      }
    }
    out.println();
    TextTable tables =
        new TextTable(
            "TABLE",
            "STATE",
            "ROWS",
            "TAIL ROWS",
            "FRESHNESS ms",
            "LAKE SNAPSHOT",
            "LAKE AGE ms",
            "FILES",
            "QUARANTINED");
    for (StatusReport.Table table : report.tables()) {
      tables.add(
          table.name(),
          table.state(),
          table.rows(),
          table.tailRows(),
          table.freshnessMs(),
          table.lakeSnapshotId(),
          table.lakeAgeMs(),
          table.lakeFiles(),
          table.quarantined());
    }
    tables.lines().forEach(out::println);
    for (StatusReport.Table table : report.tables()) {
      if (!table.reason().isEmpty()) {
        out.println("  " + table.name() + ": " + table.reason());
      }
    }
  }
}
