package io.lakestream.cdc.decode;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TextForm;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;

/** The key of a row as a JSON object of texts, for quarantine. */
public final class KeyJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private KeyJson() {}

  /**
   * Prints a key.
   *
   * @param raw value of a column in a form of {@link StreamField}, or null
   */
  static String print(
      TableDefinition definition, FieldDecoder[] decoders, IntFunction<Object> raw) {
    Map<String, String> key = new LinkedHashMap<>();
    for (int index : definition.keyIndexes()) {
      key.put(
          definition.columns().get(index).name(),
          text(definition, decoders[index], index, raw.apply(index)));
    }
    return write(key);
  }

  /**
   * Prints the key of a row that converts.
   *
   * @param row has the key columns
   */
  public static String print(TableDefinition definition, InternalRow row) {
    Map<String, String> key = new LinkedHashMap<>();
    for (int index : definition.keyIndexes()) {
      ColumnType type = definition.columns().get(index).type();
      key.put(
          definition.columns().get(index).name(), TextForm.print(type, type.readFluss(row, index)));
    }
    return write(key);
  }

  /**
   * The texts of a printed key, in the key's order.
   *
   * @param json as {@link #print} writes it
   */
  public static List<String> texts(String json) {
    try {
      return List.copyOf(
          JSON.readValue(json, new TypeReference<LinkedHashMap<String, String>>() {}).values());
    } catch (JsonProcessingException e) {
      throw new LakestreamException(
          e, ErrorCode.PROTOCOL_VIOLATION, "Cannot read the key of a row in quarantine");
    }
  }

  private static String write(Map<String, String> key) {
    try {
      return JSON.writeValueAsString(key);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String text(
      TableDefinition definition, FieldDecoder decoder, int index, Object raw) {
    if (raw == null) {
      return "";
    }
    try {
      GenericRow single = new GenericRow(definition.columns().size());
      single.setField(index, decoder.decode(raw));
      ColumnType type = definition.columns().get(index).type();
      return TextForm.print(type, type.readFluss(single, index));
    } catch (UnconvertibleValueException e) {
      return e.value();
    }
  }
}
