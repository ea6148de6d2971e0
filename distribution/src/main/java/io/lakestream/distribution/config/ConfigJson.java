package io.lakestream.distribution.config;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import io.lakestream.cdc.source.SourceType;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;

/**
 * Durations, sizes and kinds of sources in their text forms, for the configuration and the
 * endpoints file.
 */
public final class ConfigJson {
  private ConfigJson() {}

  /** A Jackson module to register with a mapper. */
  public static SimpleModule module() {
    return new SimpleModule("lakestream")
        .addDeserializer(Duration.class, new TextReader<>(Duration.class, DurationText::parse))
        .addSerializer(Duration.class, new TextWriter<>(Duration.class, DurationText::write))
        .addDeserializer(DataSize.class, new TextReader<>(DataSize.class, DataSize::parse))
        .addDeserializer(SourceType.class, new TextReader<>(SourceType.class, SourceType::parse))
        .addSerializer(SourceType.class, new TextWriter<>(SourceType.class, SourceType::text));
  }

  private static final class TextReader<T> extends StdScalarDeserializer<T> {
    private final transient Function<String, T> parser;

    TextReader(Class<T> type, Function<String, T> parser) {
      super(type);
      this.parser = parser;
    }

    @Override
    public T deserialize(JsonParser json, DeserializationContext context) throws IOException {
      try {
        return parser.apply(json.getText());
      } catch (LakestreamException e) {
        // Jackson knows the line only of exceptions of its own.
        throw JsonMappingException.from(json, e.getMessage(), e);
      }
    }
  }

  private static final class TextWriter<T> extends StdScalarSerializer<T> {
    private final transient Function<T, String> printer;

    TextWriter(Class<T> type, Function<T, String> printer) {
      super(type);
      this.printer = printer;
    }

    @Override
    public void serialize(T value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(printer.apply(value));
    }
  }
}
