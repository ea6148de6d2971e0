package io.lakestream.tables.ddl;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import java.util.List;

/** A table definition as the JSON text kept in a Fluss custom property and an Iceberg property. */
public final class DefinitionJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private record ColumnJson(String name, String type, String sourceType, boolean sourceNotNull) {}

  private record TableJson(
      String source,
      String schema,
      String table,
      List<ColumnJson> columns,
      List<String> primaryKey,
      int buckets) {}

  private DefinitionJson() {}

  public static String write(TableDefinition definition) {
    TableName name = definition.name();
    List<ColumnJson> columns =
        definition.columns().stream()
            .map(
                c ->
                    new ColumnJson(
                        c.name(), c.type().toString(), c.sourceType(), c.sourceNotNull()))
            .toList();
    try {
      return MAPPER.writeValueAsString(
          new TableJson(
              name.source(),
              name.schema(),
              name.table(),
              columns,
              definition.primaryKey(),
              definition.buckets()));
    } catch (JsonProcessingException e) {
      throw new LakestreamException(
          e, ErrorCode.INTERNAL, "Cannot write the definition of %s as JSON", name);
    }
  }

  /** Reads what {@link #write} wrote. Throws PROTOCOL_VIOLATION on anything else. */
  public static TableDefinition read(String json) {
    try {
      TableJson table = MAPPER.readValue(json, TableJson.class);
      return new TableDefinition(
          new TableName(table.source(), table.schema(), table.table()),
          table.columns().stream()
              .map(
                  c ->
                      new Column(
                          c.name(), ColumnType.parse(c.type()), c.sourceType(), c.sourceNotNull()))
              .toList(),
          table.primaryKey(),
          table.buckets());
    } catch (JsonProcessingException e) {
      throw new LakestreamException(
          e, ErrorCode.PROTOCOL_VIOLATION, "Cannot read a table definition: %s", json);
    }
  }
}
