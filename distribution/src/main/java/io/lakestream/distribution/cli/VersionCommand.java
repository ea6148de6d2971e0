package io.lakestream.distribution.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "version",
    description = "Prints the versions of Lakestream and its parts.",
    footer = {"", "Examples:", "  lakestream version"})
final class VersionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    for (String line : new Version().getVersion()) {
      spec.commandLine().getOut().println(line);
    }
    return ExitCode.OK;
  }
}
