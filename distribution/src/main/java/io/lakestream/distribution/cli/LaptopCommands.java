package io.lakestream.distribution.cli;

import java.util.List;

/** The commands that start an instance, or look at one from outside. */
public final class LaptopCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(
        new UpCommand(),
        new TablesCommand(),
        new StatusCommand(),
        new TypesCommand(),
        new VersionCommand());
  }
}
