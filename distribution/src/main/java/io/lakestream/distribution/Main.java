package io.lakestream.distribution;

import io.lakestream.distribution.cli.CommandProvider;
import io.lakestream.distribution.cli.ExitCode;
import io.lakestream.distribution.cli.Failures;
import io.lakestream.distribution.cli.Version;
import io.lakestream.distribution.laptop.LogFile;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Entry point of {@code lakestream}: finds the sub-commands and runs one. */
@Command(
    name = "lakestream",
    description = {
      "One logical table, fresh in Apache Fluss and historical in Apache Iceberg, read as one view."
    },
    versionProvider = Version.class,
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  lakestream demo                          everything here, with live data",
      "  lakestream up --config lakestream.yaml   the same for your own databases",
      "  lakestream status                        from a second terminal"
    })
public final class Main implements Callable<Integer> {
  /** The order of the help text: start something, look at it, check it. */
  private static final List<String> ORDER =
      List.of(
          "demo",
          "up",
          "tables",
          "describe",
          "read",
          "wait",
          "status",
          "verify",
          "bench",
          "types",
          "version");

  @Spec private CommandSpec spec;

  private Main() {}

  public static void main(String[] arguments) {
    LogFile.silence();
    int code =
        commandLine()
            .setOut(utf8(FileDescriptor.out))
            .setErr(utf8(FileDescriptor.err))
            .execute(arguments);
    LogFile.close();
    // Threads of libraries must not keep a finished command alive.
    System.exit(code);
  }

  // Rows are UTF-8 wherever they go; System.out would print ? where the locale is not set.
  private static PrintWriter utf8(FileDescriptor descriptor) {
    return new PrintWriter(
        new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), true);
  }

  /** The command line with all sub-commands that the class path offers. */
  public static CommandLine commandLine() {
    CommandLine main = new CommandLine(new Main());
    for (CommandLine command : subcommands()) {
      main.addSubcommand(command);
    }
    describeExitCodes(main);
    main.getSubcommands().values().forEach(Main::describeExitCodes);
    Failures failures = new Failures();
    return main.setExecutionExceptionHandler(failures)
        .setParameterExceptionHandler(failures)
        .setUsageHelpAutoWidth(true)
        .setCaseInsensitiveEnumValuesAllowed(true);
  }

  private static List<CommandLine> subcommands() {
    List<CommandLine> commands = new ArrayList<>();
    for (CommandProvider provider : ServiceLoader.load(CommandProvider.class)) {
      provider.commands().forEach(command -> commands.add(new CommandLine(command)));
    }
    commands.sort(Comparator.comparingInt(Main::place));
    return commands;
  }

  private static void describeExitCodes(CommandLine command) {
    command
        .getCommandSpec()
        .usageMessage()
        .exitCodeListHeading("%nExit codes:%n")
        .exitCodeList(ExitCode.DESCRIPTIONS);
  }

  private static int place(CommandLine command) {
    int place = ORDER.indexOf(command.getCommandName());
    return place < 0 ? ORDER.size() : place;
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        spec.commandLine(), "Missing a command: one of " + spec.subcommands().keySet());
  }
}
