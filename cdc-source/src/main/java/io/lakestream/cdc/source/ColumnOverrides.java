package io.lakestream.cdc.source;

import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The homes that the configuration chose for columns.
 *
 * @param tables override by column, by {@code <schema>.<table>}; names exactly as the source spells
 *     them
 */
public record ColumnOverrides(Map<String, Map<String, ColumnOverride>> tables) {
  public static final ColumnOverrides NONE = new ColumnOverrides(Map.of());

  public ColumnOverrides {
    tables =
        tables.entrySet().stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Map.Entry::getKey, entry -> Map.copyOf(entry.getValue())));
  }

  /**
   * What was chosen for a column.
   *
   * @param table {@code <schema>.<table>}
   */
  public Optional<ColumnOverride> find(String table, String column) {
    return Optional.ofNullable(tables.getOrDefault(table, Map.of()).get(column));
  }
}
