package io.lakestream.distribution.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/**
 * Section {@code fluss}: the cluster that {@code lakestream cdc run} captures into. Laptop mode
 * brings its own.
 *
 * @param bootstrapServers {@code host:port}, several separated by commas; empty where there is none
 */
public record FlussSettings(String bootstrapServers) {
  /** No cluster. */
  public static FlussSettings none() {
    return parse(null);
  }

  @JsonCreator
  static FlussSettings parse(@JsonProperty("bootstrap-servers") String bootstrapServers) {
    return new FlussSettings(Objects.requireNonNullElse(bootstrapServers, ""));
  }
}
