package io.lakestream.cdc.decode;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TextForm;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.fluss.row.GenericRow;

/** The key of a row as a JSON object of texts, for quarantine. */
final class KeyJson {
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
