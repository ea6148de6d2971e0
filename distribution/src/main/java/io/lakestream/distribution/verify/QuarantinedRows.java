package io.lakestream.distribution.verify;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.Quarantine;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Rows that the view lacks because one of their values has no exact home, by table and key. */
public final class QuarantinedRows {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private record Table(String source, String display) {}

  private final Map<Table, Map<List<String>, Quarantine.Entry>> rows = new HashMap<>();

  /** Takes entries; of one key, the last counts. */
  public QuarantinedRows(List<Quarantine.Entry> entries) {
    for (Quarantine.Entry entry : entries) {
      rows.computeIfAbsent(new Table(entry.source(), entry.table()), table -> new LinkedHashMap<>())
          .put(key(entry), entry);
    }
  }

  /** Reads what is in quarantine now. */
  public static QuarantinedRows read(FlussTables tables) {
    try (Quarantine quarantine = Quarantine.open(tables)) {
      return new QuarantinedRows(quarantine.list());
    }
  }

  private static List<String> key(Quarantine.Entry entry) {
    try {
      LinkedHashMap<String, String> columns =
          MAPPER.readValue(entry.key(), new TypeReference<LinkedHashMap<String, String>>() {});
      return List.copyOf(columns.values());
    } catch (JsonProcessingException e) {
      throw new LakestreamException(
          e,
          ErrorCode.PROTOCOL_VIOLATION,
          "Cannot read the key of a quarantined row of %s",
          entry.table());
    }
  }

  /** Number of rows of a table, by key. */
  public long count(String source, String displayName) {
    return rows.getOrDefault(new Table(source, displayName), Map.of()).size();
  }

  /** Why the row of this key is missing in the view, if that is the reason. */
  Optional<Quarantine.Entry> find(TableName table, List<String> key) {
    return Optional.ofNullable(
        rows.getOrDefault(new Table(table.source(), table.display()), Map.of()).get(key));
  }
}
