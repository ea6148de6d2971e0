package io.lakestream.benchmarks.capture;

import io.lakestream.distribution.config.PortSettings;
import io.lakestream.distribution.laptop.EmbeddedFluss;
import io.lakestream.distribution.laptop.EmbeddedZooKeeper;
import java.nio.file.Path;

/** Process of Fluss: says where it listens, and ends with its standard input. */
final class FlussMain {
  private FlussMain() {}

  /** Argument: the folder. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Path.of(arguments[0]);
    PortSettings anyPorts = PortSettings.defaults();
    try (EmbeddedZooKeeper zookeeper =
            EmbeddedZooKeeper.start(folder.resolve("zookeeper"), anyPorts);
        EmbeddedFluss fluss =
            EmbeddedFluss.start(folder.resolve("fluss"), zookeeper.address(), anyPorts)) {
      System.out.println(SubjectMain.ANSWER + "ok " + fluss.bootstrap());
      while (System.in.read() >= 0) {
        // Nothing is said to it.
      }
    }
    System.exit(0);
  }
}
