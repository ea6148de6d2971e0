package io.lakestream.distribution;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A Java process with the class path of the tests. */
public final class ChildJvm {
  private ChildJvm() {}

  /**
   * Command line of one.
   *
   * @param heap for example {@code 256m}
   */
  public static List<String> command(String heap, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String name : List.of("nio", "lang", "util")) {
      command.add("--add-opens=java.base/java." + name + "=ALL-UNNAMED");
    }
    command.addAll(
        List.of(
            "-Xmx" + heap,
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }
}
