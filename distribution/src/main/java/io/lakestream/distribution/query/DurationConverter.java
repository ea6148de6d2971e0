package io.lakestream.distribution.query;

import io.lakestream.distribution.config.DurationText;
import io.lakestream.tables.error.LakestreamException;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations on the command line: {@code 500ms}, {@code 30s}, {@code 5m}. */
public final class DurationConverter implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String text) {
    try {
      return DurationText.parse(text);
    } catch (LakestreamException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
