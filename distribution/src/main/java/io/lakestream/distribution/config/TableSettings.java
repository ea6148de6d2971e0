package io.lakestream.distribution.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.lakestream.cdc.source.SchemaChanges;
import java.util.Map;
import java.util.Objects;

/**
 * How one table is captured, where it differs from what its source says of all.
 *
 * @param schemaChange {@code follow} or {@code pause}; empty for what the source says
 * @param columns by name, exactly as the source spells it
 * @param quarantineLimit rows in quarantine above which the table is paused; null where that of the
 *     source holds
 */
public record TableSettings(
    @JsonProperty("schema-change") String schemaChange,
    @JsonProperty("columns") Map<String, ColumnSettings> columns,
    @JsonProperty("quarantine-limit") Integer quarantineLimit) {
  public TableSettings {
    schemaChange = Objects.requireNonNullElse(schemaChange, "");
    if (!schemaChange.isEmpty()) {
      SchemaChanges.Choice.parse(schemaChange);
    }
    columns = Map.copyOf(Objects.requireNonNullElse(columns, Map.of()));
  }
}
