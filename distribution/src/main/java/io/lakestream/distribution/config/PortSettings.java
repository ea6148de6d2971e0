package io.lakestream.distribution.config;

import static io.lakestream.tables.error.Checks.checkArgument;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/**
 * Section {@code ports}: where the parts listen, on the loopback interface only. 0 takes any free
 * port.
 *
 * @param zookeeper 0 to 65535
 * @param coordinator Fluss's coordinator, 0 to 65535: the bootstrap server of clients
 * @param tablet Fluss's tablet server, 0 to 65535
 * @param postgres the demo's PostgreSQL, 0 to 65535
 */
public record PortSettings(int zookeeper, int coordinator, int tablet, int postgres) {
  private static final int MAX_PORT = 65_535;

  public PortSettings {
    check("zookeeper", zookeeper);
    check("coordinator", coordinator);
    check("tablet", tablet);
    check("postgres", postgres);
  }

  private static void check(String name, int port) {
    checkArgument(
        port >= 0 && port <= MAX_PORT,
        "Invalid port %s: %s (must be 0 to %s)",
        name,
        port,
        MAX_PORT);
  }

  /** Any free port for all. */
  public static PortSettings defaults() {
    return parse(null, null, null, null);
  }

  @JsonCreator
  static PortSettings parse(
      @JsonProperty("zookeeper") Integer zookeeper,
      @JsonProperty("coordinator") Integer coordinator,
      @JsonProperty("tablet") Integer tablet,
      @JsonProperty("postgres") Integer postgres) {
    return new PortSettings(
        Objects.requireNonNullElse(zookeeper, 0),
        Objects.requireNonNullElse(coordinator, 0),
        Objects.requireNonNullElse(tablet, 0),
        Objects.requireNonNullElse(postgres, 0));
  }
}
