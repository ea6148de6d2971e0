package io.lakestream.benchmarks;

import io.lakestream.distribution.cli.CommandProvider;
import java.util.List;

/** Adds {@code bench} to the command line. */
public final class BenchCommands implements CommandProvider {
  @Override
  public List<Object> commands() {
    return List.of(new BenchCommand());
  }
}
