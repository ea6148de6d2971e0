package io.lakestream.distribution.laptop;

import io.lakestream.distribution.config.LakestreamConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** An instance in a process of its own, to be killed. */
final class LaptopChild {
  static final String READY = "child-is-ready";

  private LaptopChild() {}

  static Process start(Path data) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String name : List.of("nio", "lang", "util")) {
      command.add("--add-opens=java.base/java." + name + "=ALL-UNNAMED");
    }
    command.addAll(
        List.of(
            "-Xmx512m",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            LaptopChild.class.getName(),
            data.toString()));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(data.resolveSibling("child.log").toFile())
        .start();
  }

  /** Starts, writes, says that it is ready, and runs until it is killed. */
  public static void main(String[] arguments) throws Exception {
    Path data = Path.of(arguments[0]);
    LaptopInstance instance =
        LaptopInstance.start(LakestreamConfig.defaults().withData(data), true, System.out::println);
    LaptopInstanceIT.writeSomething(instance);
    Files.writeString(data.resolve(READY), "");
    throw instance.awaitFailure(Duration.ofHours(1)).orElseThrow();
  }
}
