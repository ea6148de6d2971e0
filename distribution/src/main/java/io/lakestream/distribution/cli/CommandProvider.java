package io.lakestream.distribution.cli;

import java.util.List;

/**
 * Brings sub-commands to {@code lakestream}. Found by {@link java.util.ServiceLoader}: a jar on the
 * class path that names one in {@code META-INF/services} adds its commands without this module
 * knowing it.
 */
public interface CommandProvider {
  /**
   * New command objects, annotated with picocli's {@code @Command}, each a {@code
   * Callable<Integer>} that returns an exit code of {@link ExitCode}.
   */
  List<Object> commands();
}
