package io.lakestream.distribution.query;

import io.lakestream.distribution.cli.CommandProvider;
import java.util.List;

/** Brings the commands that talk to a running instance. */
public final class QueryCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(
        new DescribeCommand(),
        new ReadCommand(),
        new WaitCommand(),
        new VerifyCommand(),
        new CdcCommand());
  }
}
