package io.lakestream.distribution.cli;

import io.lakestream.cdc.source.SourceType;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.error.NearName;
import io.lakestream.tables.schema.TypeMapping;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "types",
    description = "Lists the types of each kind of source, and where their values live.",
    footer = {
      "",
      "Examples:",
      "  lakestream types",
      "  lakestream types --source postgres --markdown   as in docs/types.md"
    })
final class TypesCommand implements Callable<Integer> {
  private static final int TEXT_FORM = TypeMapping.HEADINGS.indexOf("TEXT FORM");

  @Spec private CommandSpec spec;

  @Option(
      names = "--source",
      paramLabel = "KIND",
      description = "Only this kind of source: postgres or mariadb. Default: all.")
  private String source;

  @Option(names = "--markdown", description = "Print Markdown tables.")
  private boolean markdown;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    List<SourceType> sources = source == null ? List.of(SourceType.values()) : List.of(find());
    for (SourceType type : sources) {
      if (sources.size() > 1) {
        out.println((markdown ? "## " : "") + type.text());
      }
      (markdown ? markdown(type.types()) : text(type.types())).forEach(out::println);
    }
    out.flush();
    return ExitCode.OK;
  }

  private SourceType find() {
    List<String> known = Arrays.stream(SourceType.values()).map(SourceType::text).toList();
    return Arrays.stream(SourceType.values())
        .filter(type -> type.text().equals(source))
        .findFirst()
        .orElseThrow(
            () ->
                new LakestreamException(
                    ErrorCode.INVALID_ARGUMENT,
                    "Unknown kind of source: '%s' (must be %s).%s",
                    source,
                    String.join(" or ", known),
                    NearName.of(source, known)
                        .map(near -> " Did you mean '" + near + "'?")
                        .orElse("")));
  }

  private static List<String> text(List<TypeMapping> types) {
    TextTable table = new TextTable(TypeMapping.HEADINGS.toArray(String[]::new));
    types.forEach(type -> table.add(type.cells().toArray()));
    return table.lines();
  }

  static List<String> markdown(List<TypeMapping> types) {
    List<String> lines = new ArrayList<>();
    lines.add(line(TypeMapping.HEADINGS));
    lines.add("|---".repeat(TypeMapping.HEADINGS.size()) + "|");
    types.forEach(
        type -> {
          List<String> cells = new ArrayList<>(type.cells());
          cells.set(TEXT_FORM, "`" + cells.get(TEXT_FORM) + "`");
          lines.add(line(cells));
        });
    return lines;
  }

  private static String line(List<String> cells) {
    return "| "
        + String.join(" | ", cells.stream().map(c -> c.replace("|", "\\|")).toList())
        + " |";
  }
}
