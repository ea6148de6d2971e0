package io.lakestream.distribution.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.lakestream.cdc.source.Requirement;
import io.lakestream.distribution.cli.ConfigOption;
import io.lakestream.distribution.cli.ExitCode;
import io.lakestream.distribution.cli.TextTable;
import io.lakestream.distribution.config.SourceSettings;
import io.lakestream.distribution.laptop.SourceProbe;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "check",
    description = {
      "Lists what capture needs of each source in the configuration, what was found, and what mends it: the same checks that 'up' makes before it starts anything. Changes nothing; needs no running instance."
    },
    footer = {
      "",
      "A table that cannot be captured is missing, too: 'up' goes on without it, and so does this check",
      "once the table is excluded.",
      "",
      "JSON: a list of sources with name, type, met; requirements[] with name, required, found, met, fix.",
      "",
      "Examples:",
      "  lakestream cdc check",
      "  lakestream cdc check --config lakestream.yaml --source shop --format json"
    })
final class CheckCommand implements Callable<Integer> {
  enum Format {
    TABLE,
    JSON
  }

  record Item(String name, String required, String found, boolean met, String fix) {
    static Item of(Requirement r) {
      return new Item(r.name(), r.required(), r.found(), r.isMet(), r.fix());
    }
  }

  record Checked(String name, String type, boolean met, List<Item> requirements) {}

  @Spec private CommandSpec spec;

  @Mixin private ConfigOption config;

  @Option(
      names = "--source",
      paramLabel = "S",
      description = "Source to check (default: all in the configuration).")
  private String source;

  @Option(
      names = "--format",
      paramLabel = "table|json",
      defaultValue = "table",
      description = "How to print (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Override
  public Integer call() throws JsonProcessingException {
    List<Checked> all = new ArrayList<>();
    chosen().forEach((name, settings) -> all.add(check(name, settings)));
    PrintWriter out = spec.commandLine().getOut();
    if (format == Format.JSON) {
      out.println(
          new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT).writeValueAsString(all));
    } else {
      all.forEach(checked -> print(checked, out));
    }
    out.flush();
    return all.stream().allMatch(Checked::met) ? ExitCode.OK : ExitCode.DIFFERENCES;
  }

  private Map<String, SourceSettings> chosen() {
    Map<String, SourceSettings> sources = config.read("check").sources();
    if (source == null) {
      return sources;
    }
    String name = SourceChoice.find(sources.keySet(), source);
    return Map.of(name, sources.get(name));
  }

  private static Checked check(String name, SourceSettings settings) {
    List<Item> items = SourceProbe.list(name, settings).stream().map(Item::of).toList();
    boolean met = items.stream().allMatch(Item::met);
    return new Checked(name, settings.type().text(), met, items);
  }

  private static void print(Checked checked, PrintWriter out) {
    TextTable table = new TextTable("SOURCE", "NEEDS", "REQUIRED", "FOUND", "RESULT");
    for (Item item : checked.requirements()) {
      String result = item.met() ? "ok" : "missing";
      table.add(checked.name(), item.name(), item.required(), item.found(), result);
    }
    table.lines().forEach(out::println);
    for (Item item : checked.requirements()) {
      if (!item.met()) {
        out.println("  " + item.name() + ": " + item.fix());
      }
    }
    long missing = checked.requirements().stream().filter(item -> !item.met()).count();
    out.printf(
        "checked source=%s requirements=%d missing=%d%n",
        checked.name(), checked.requirements().size(), missing);
  }
}
