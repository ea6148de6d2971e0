package io.lakestream.distribution.laptop;

import io.lakestream.distribution.ChildJvm;
import io.lakestream.distribution.config.LakestreamConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** An instance in a process of its own, to be killed. */
final class LaptopChild {
  static final String READY = "child-is-ready";

  private LaptopChild() {}

  static Process start(Path data) throws IOException {
    List<String> command = ChildJvm.command("512m", LaptopChild.class, data.toString());
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
