package io.lakestream.distribution.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.lakestream.cdc.source.ColumnOverride;
import java.util.Objects;

/**
 * How one column is captured.
 *
 * @param type {@code text}, {@code skip} or {@code decimal(p,s)}, instead of what the source's type
 *     decides; empty for that
 */
public record ColumnSettings(@JsonProperty("type") String type) {
  public ColumnSettings {
    type = Objects.requireNonNullElse(type, "");
    if (!type.isEmpty()) {
      ColumnOverride.parse(type);
    }
  }
}
