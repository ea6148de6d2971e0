package io.lakestream.distribution.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Map;
import java.util.Objects;

/**
 * How one table is captured, where it differs from what its source says of all.
 *
 * @param columns by name, exactly as the source spells it
 */
public record TableSettings(@JsonProperty("columns") Map<String, ColumnSettings> columns) {
  public TableSettings {
    columns = Map.copyOf(Objects.requireNonNullElse(columns, Map.of()));
  }
}
