package io.lakestream.distribution.config;

import static io.lakestream.tables.error.Checks.checkArgument;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as users write them: {@code 500ms}, {@code 1s}, {@code 5m}, {@code 2h}. */
public final class DurationText {
  private static final Pattern TEXT = Pattern.compile("(\\d{1,9})\\s*(ms|s|m|h|d)");

  private DurationText() {}

  /** Parses a whole number with a unit. Throws INVALID_ARGUMENT on anything else. */
  public static Duration parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    checkArgument(
        matcher.matches(), "Invalid duration: '%s' (must be like 500ms, 1s, 5m or 2h)", text);
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      case "d" -> Duration.ofDays(amount);
      default -> Duration.ofSeconds(amount);
    };
  }

  /** Writes what {@link #parse} reads. */
  public static String write(Duration duration) {
    return duration.toMillisPart() == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
  }
}
