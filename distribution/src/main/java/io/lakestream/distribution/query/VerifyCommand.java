package io.lakestream.distribution.query;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.distribution.cli.DataOption;
import io.lakestream.distribution.laptop.Instance;
import io.lakestream.distribution.verify.QuarantinedRows;
import io.lakestream.distribution.verify.SourceReader;
import io.lakestream.distribution.verify.UnionView;
import io.lakestream.distribution.verify.Verifier;
import io.lakestream.distribution.verify.VerifyPrinter;
import io.lakestream.distribution.verify.VerifyReport;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.union.UnionReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "verify",
    description = {
      "Compares tables of the view with the source, row by row and column by column. The source may be in use: keys that differ are compared again at later positions, up to 5 rounds in all; what then still differs while the source's row stood still is a difference."
    },
    footer = {
      "",
      "The last line reads: verified tables=8 rows=86805 differences=0 position=0/16B3748",
      "with undecided=N before the position where rows changed in every round. Differences are listed above it, the first 20;",
      "a row that is missing because one of its values has no exact home is listed as quarantined, with the reason.",
      "",
      "Examples:",
      "  lakestream verify",
      "  lakestream verify public.orders public.lineitem"
    })
final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private DataOption data;

  @Parameters(
      paramLabel = "TABLE",
      arity = "0..*",
      description = "Tables to compare (default: all).")
  private List<String> tables = List.of();

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "60s",
      converter = DurationConverter.class,
      description = "How long the view may take to cover a position (default: ${DEFAULT-VALUE}).")
  private Duration timeout;

  @Override
  public Integer call() {
    try (Instance instance = data.open();
        UnionReader reader = UnionReader.open(instance.tables(), instance.lake())) {
      List<VerifyReport> reports = new ArrayList<>();
      chosen(instance)
          .forEach(
              (source, definitions) -> reports.add(verify(instance, reader, source, definitions)));
      return VerifyPrinter.print(
          spec.commandLine().getOut(), reports, QuarantinedRows.read(instance.tables()));
    }
  }

  private Map<String, List<TableDefinition>> chosen(Instance instance) {
    List<LiveTable> all = instance.tables().list();
    List<LiveTable> chosen =
        tables.isEmpty()
            ? all
            : tables.stream().map(table -> TableChoice.find(all, table)).distinct().toList();
    if (chosen.isEmpty()) {
      throw new LakestreamException(
          ErrorCode.UNKNOWN_TABLE,
          "There is no table to verify: nothing is captured yet. 'lakestream status' shows how far it is.");
    }
    Map<String, List<TableDefinition>> bySource = new TreeMap<>();
    for (LiveTable table : chosen) {
      bySource
          .computeIfAbsent(table.definition().name().source(), source -> new ArrayList<>())
          .add(table.definition());
    }
    return bySource;
  }

  private VerifyReport verify(
      Instance instance, UnionReader reader, String source, List<TableDefinition> definitions) {
    SourceConfig config = instance.source(source);
    // Beside the data folder's own files: the system's folder for temporary files may be in memory.
    Path folder = instance.folder().resolve("tmp");
    try (SourceConnection marks = SourceConnection.open(config);
        SourceReader rows = SourceReader.open(config)) {
      UnionView view = new UnionView(reader, Optional::empty);
      return new Verifier(rows, marks::mark, view, folder, timeout)
          .verifyLive(definitions, Verifier.ROUNDS);
    }
  }
}
