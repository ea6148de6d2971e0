package io.lakestream.distribution.cli;

import io.lakestream.cdc.CaptureStatus;
import io.lakestream.distribution.laptop.ProcessEnd;
import java.io.PrintWriter;
import picocli.CommandLine.Model.CommandSpec;

/** Lines of a command that runs until it is stopped. For one thread, but for {@link #print}. */
public final class CommandLines {
  private final CommandSpec spec;
  private final SourceNews news = new SourceNews();

  public CommandLines(CommandSpec spec) {
    this.spec = spec;
  }

  /** Says a line, also while the process ends. */
  public void print(String line) {
    print(spec.commandLine().getOut(), line);
  }

  /** Says a line unless the process ends. */
  public void say(String line) {
    if (!ProcessEnd.hasBegun()) {
      print(line);
    }
  }

  /** Says a line on standard error: whatever fails while all is being stopped is no news. */
  public void warn(String line) {
    if (!ProcessEnd.hasBegun()) {
      print(spec.commandLine().getErr(), "lakestream: " + line);
    }
  }

  /** Warns of a source that the others go on without. */
  public void warnNotCaptured(String source, String reason) {
    warn("source " + source + " is not captured. " + reason);
  }

  /** Says what changed about a source since the last time, if anything did. */
  public void news(CaptureStatus status) {
    news.of(status)
        .ifPresent(
            line -> {
              if (status.reason().isEmpty()) {
                say(line);
              } else {
                warn(line);
              }
            });
  }

  private static void print(PrintWriter out, String line) {
    out.println(line);
    out.flush();
  }
}
