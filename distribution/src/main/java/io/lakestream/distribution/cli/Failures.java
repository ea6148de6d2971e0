package io.lakestream.distribution.cli;

import io.lakestream.distribution.laptop.Instance;
import io.lakestream.distribution.laptop.LogFile;
import io.lakestream.distribution.laptop.ProcessEnd;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.error.NearName;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.fluss.exception.FlussRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** One line on standard error per failure; the stack trace goes to the log file. */
public final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    ProcessEnd.waitIfBegun();
    LOG.error("Command failed: command={}", command.getCommandName(), e);
    Exception shown = instance(command).flatMap(Failures::whyGone).orElse(e);
    command.getErr().println(line(shown));
    command.getErr().flush();
    return code(shown);
  }

  private static Optional<Instance> instance(CommandLine command) {
    return command.getCommandSpec().mixins().values().stream()
        .map(CommandSpec::userObject)
        .filter(DataOption.class::isInstance)
        .map(DataOption.class::cast)
        .flatMap(option -> option.opened().stream())
        .findFirst();
  }

  private static Optional<Exception> whyGone(Instance instance) {
    return instance.whyGone().map(Exception.class::cast);
  }

  /** The exit code for a failure. */
  public static int code(Throwable e) {
    if (e instanceof LakestreamException known) {
      return ExitCode.of(known.code().kind());
    }
    return ofFluss(e).isPresent() ? ExitCode.EXTERNAL : ExitCode.INTERNAL;
  }

  // Fluss's clients throw their own errors, now from a call and now through whatever waits for it.
  private static Optional<Throwable> ofFluss(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof FlussRuntimeException) {
        return Optional.of(cause);
      }
    }
    return Optional.empty();
  }

  /** The one line that tells a user about a failure. */
  public static String line(Throwable e) {
    if (e instanceof LakestreamException) {
      return "lakestream: " + oneLine(e.getMessage());
    }
    Optional<Path> log = LogFile.current();
    Optional<Throwable> fluss = ofFluss(e);
    if (fluss.isPresent()) {
      return "lakestream: Cannot work with Fluss: "
          + ErrorText.of(fluss.get())
          + ". Try again; 'lakestream status' shows whether the instance runs"
          + log.map(path -> " (details in " + path + ")").orElse("")
          + ".";
    }
    return "lakestream: "
        + ErrorText.of(e)
        + " (a fault in Lakestream, "
        + e.getClass().getSimpleName()
        + log.map(path -> "; details in " + path).orElse("")
        + ")";
  }

  // Picocli's own suggestions are there for every name, however far.
  private static Optional<String> near(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)
        || unmatched.getUnmatched().isEmpty()) {
      return Optional.empty();
    }
    String typed = unmatched.getUnmatched().get(0);
    CommandSpec command = e.getCommandLine().getCommandSpec();
    return typed.startsWith("-")
        ? NearName.of(typed.replaceFirst("=.*", ""), command.optionsMap().keySet())
        : NearName.of(typed, command.subcommands().keySet())
            .map(name -> command.qualifiedName() + " " + name);
  }

  private static String oneLine(String message) {
    return message.strip().replaceAll("\\s*\\R\\s*", " ");
  }

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    String message = oneLine(String.valueOf(e.getMessage()));
    err.println(
        "lakestream: "
            + message.replaceFirst("^Unmatched arguments? (at|from) index \\d+: ", "Unknown: "));
    near(e).ifPresent(name -> err.println("Did you mean: " + name + "?"));
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    err.flush();
    return ExitCode.USAGE;
  }
}
