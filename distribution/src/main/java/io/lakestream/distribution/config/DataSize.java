package io.lakestream.distribution.config;

import static io.lakestream.tables.error.Checks.checkArgument;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of storage.
 *
 * @param bytes 0 or greater
 */
public record DataSize(long bytes) {
  private static final long KILO = 1024;
  private static final Pattern TEXT = Pattern.compile("(\\d{1,12})\\s*(B|KB|MB|GB|TB)");

  public DataSize {
    checkArgument(bytes >= 0, "Invalid size: %s (must be >= 0)", bytes);
  }

  /** Parses a number with a unit such as {@code 500MB}; 1 MB = 1024 × 1024 bytes. */
  public static DataSize parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip().toUpperCase(Locale.ROOT));
    checkArgument(matcher.matches(), "Invalid size: '%s' (must be like 500MB or 2GB)", text);
    return new DataSize(Long.parseLong(matcher.group(1)) * unit(matcher.group(2)));
  }

  private static long unit(String name) {
    return switch (name) {
      case "KB" -> KILO;
      case "MB" -> KILO * KILO;
      case "GB" -> KILO * KILO * KILO;
      case "TB" -> KILO * KILO * KILO * KILO;
      default -> 1;
    };
  }

  /** In whole MB, rounded down, or in bytes below that. */
  @Override
  public String toString() {
    return bytes >= KILO * KILO ? bytes / (KILO * KILO) + "MB" : bytes + "B";
  }
}
