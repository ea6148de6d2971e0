package io.lakestream.cdc.source;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.error.NearName;
import io.lakestream.tables.schema.ColumnType;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A column's home, where the configuration names another than the source's type has.
 *
 * @param home {@code text} for any column, {@code decimal(p,s)} for a number; empty for {@code
 *     skip}: the column is left out
 */
public record ColumnOverride(Optional<ColumnType> home) {
  public static final ColumnOverride TEXT = new ColumnOverride(Optional.of(ColumnType.STRING));
  public static final ColumnOverride SKIP = new ColumnOverride(Optional.empty());

  private static final Pattern DECIMAL =
      Pattern.compile("decimal\\(\\s*(\\d{1,4})\\s*,\\s*(\\d{1,4})\\s*\\)");

  /** Parses what the configuration says. Throws INVALID_ARGUMENT with the near spelling. */
  public static ColumnOverride parse(String text) {
    Matcher decimal = DECIMAL.matcher(text);
    if (decimal.matches()) {
      return new ColumnOverride(
          Optional.of(
              ColumnType.decimal(
                  Integer.parseInt(decimal.group(1)), Integer.parseInt(decimal.group(2)))));
    }
    return switch (text) {
      case "text" -> TEXT;
      case "skip" -> SKIP;
      default ->
          throw new LakestreamException(
              ErrorCode.INVALID_ARGUMENT,
              "Invalid column type: '%s' (must be text, skip, or decimal(p,s)).%s",
              text,
              NearName.of(text, List.of("text", "skip", "decimal(38,9)"))
                  .map(near -> " Did you mean '" + near + "'?")
                  .orElse(""));
    };
  }

  /** True where the column is left out. */
  public boolean isSkip() {
    return home.isEmpty();
  }
}
