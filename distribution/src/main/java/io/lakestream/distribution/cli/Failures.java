package io.lakestream.distribution.cli;

import io.lakestream.distribution.laptop.LogFile;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** One line on standard error per failure; the stack trace goes to the log file. */
public final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Failures.class);

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult parsed) {
    LOG.error("Command failed: command={}", command.getCommandName(), e);
    command.getErr().println(line(e));
    command.getErr().flush();
    return code(e);
  }

  /** The exit code for a failure. */
  public static int code(Throwable e) {
    return e instanceof LakestreamException known
        ? ExitCode.of(known.code().kind())
        : ExitCode.INTERNAL;
  }

  /** The one line that tells a user about a failure. */
  public static String line(Throwable e) {
    if (e instanceof LakestreamException) {
      return "lakestream: " + oneLine(e.getMessage());
    }
    Optional<Path> log = LogFile.current();
    return "lakestream: "
        + ErrorText.of(e)
        + " (a fault in Lakestream, "
        + e.getClass().getSimpleName()
        + log.map(path -> "; details in " + path).orElse("")
        + ")";
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
    UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
    err.flush();
    return ExitCode.USAGE;
  }
}
