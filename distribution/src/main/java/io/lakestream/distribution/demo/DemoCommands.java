package io.lakestream.distribution.demo;

import io.lakestream.distribution.cli.CommandProvider;
import java.util.List;

/** Brings {@code demo}. */
public final class DemoCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(new DemoCommand());
  }
}
