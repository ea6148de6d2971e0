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
        .addDeserializer(Duration.class, new DurationReader())
        .addSerializer(Duration.class, new DurationWriter())
        .addDeserializer(DataSize.class, new DataSizeReader())
        .addDeserializer(SourceType.class, new SourceTypeReader())
        .addSerializer(SourceType.class, new SourceTypeWriter());
  }

  // Jackson knows the line only of exceptions of its own.
  private static <T> T parse(JsonParser parser, Function<String, T> reader) throws IOException {
    try {
      return reader.apply(parser.getText());
    } catch (LakestreamException e) {
      throw JsonMappingException.from(parser, e.getMessage(), e);
    }
  }

  private static final class DurationReader extends StdScalarDeserializer<Duration> {
    DurationReader() {
      super(Duration.class);
    }

    @Override
    public Duration deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return parse(parser, DurationText::parse);
    }
  }

  private static final class DurationWriter extends StdScalarSerializer<Duration> {
    DurationWriter() {
      super(Duration.class);
    }

    @Override
    public void serialize(Duration value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(DurationText.write(value));
    }
  }

  private static final class SourceTypeReader extends StdScalarDeserializer<SourceType> {
    SourceTypeReader() {
      super(SourceType.class);
    }

    @Override
    public SourceType deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return parse(parser, SourceType::parse);
    }
  }

  private static final class SourceTypeWriter extends StdScalarSerializer<SourceType> {
    SourceTypeWriter() {
      super(SourceType.class);
    }

    @Override
    public void serialize(SourceType value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      out.writeString(value.text());
    }
  }

  private static final class DataSizeReader extends StdScalarDeserializer<DataSize> {
    DataSizeReader() {
      super(DataSize.class);
    }

    @Override
    public DataSize deserialize(JsonParser parser, DeserializationContext context)
        throws IOException {
      return parse(parser, DataSize::parse);
    }
  }
}
