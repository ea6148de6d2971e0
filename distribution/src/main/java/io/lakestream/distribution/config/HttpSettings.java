package io.lakestream.distribution.config;

import static io.lakestream.tables.error.Checks.checkArgument;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/**
 * Section {@code http}: where health and metrics are served.
 *
 * @param host name or address to listen on: the loopback interface, unless others are to see it
 * @param port 0 to 65535; 0 takes any free one
 */
public record HttpSettings(String host, int port) {
  private static final int MAX_PORT = 65_535;

  public HttpSettings {
    checkArgument(!host.isBlank(), "Invalid host: it is empty (127.0.0.1 is this machine alone)");
    checkArgument(
        port >= 0 && port <= MAX_PORT, "Invalid port: %s (must be 0 to %s)", port, MAX_PORT);
  }

  /** Any free port of the loopback interface. */
  public static HttpSettings defaults() {
    return parse(null, null);
  }

  @JsonCreator
  static HttpSettings parse(@JsonProperty("host") String host, @JsonProperty("port") Integer port) {
    return new HttpSettings(
        Objects.requireNonNullElse(host, "127.0.0.1"), Objects.requireNonNullElse(port, 0));
  }
}
