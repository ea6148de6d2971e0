package io.lakestream.cdc.source;

import static io.lakestream.tables.error.Checks.checkArgument;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which tables to capture: those that an include pattern matches and no exclude pattern does.
 *
 * <p>A pattern is {@code <schema>.<table>}. {@code *} stands for any characters, {@code ?} for one,
 * neither crosses the dot. A part in double quotes is taken literally, as SQL does: {@code
 * public."odd.name*"}; two double quotes inside stand for one. Letters match exactly: unlike SQL,
 * unquoted parts are not folded to lower case.
 */
public final class TablePatterns {
  private record Parts(Pattern schema, Pattern table) {
    boolean matches(String schemaName, String tableName) {
      return schema.matcher(schemaName).matches() && table.matcher(tableName).matches();
    }
  }

  private final List<Parts> include;
  private final List<Parts> exclude;

  private TablePatterns(List<Parts> include, List<Parts> exclude) {
    this.include = include;
    this.exclude = exclude;
  }

  /** Parses patterns. Throws INVALID_ARGUMENT with the pattern that is none. */
  public static TablePatterns of(List<String> include, List<String> exclude) {
    return new TablePatterns(parseAll(include), parseAll(exclude));
  }

  /** True where the table is to be captured. */
  public boolean match(String schema, String table) {
    return include.stream().anyMatch(p -> p.matches(schema, table))
        && exclude.stream().noneMatch(p -> p.matches(schema, table));
  }

  /** The part of a pattern that matches just this name. */
  public static String exactly(String name) {
    return name.matches("[A-Za-z0-9_]+") ? name : '"' + name.replace("\"", "\"\"") + '"';
  }

  private static List<Parts> parseAll(List<String> patterns) {
    return patterns.stream().map(TablePatterns::parse).toList();
  }

  private static Parts parse(String pattern) {
    List<Pattern> parts = new ArrayList<>();
    int at = 0;
    while (at <= pattern.length()) {
      StringBuilder regex = new StringBuilder();
      at = pattern.startsWith("\"", at) ? quoted(pattern, at, regex) : plain(pattern, at, regex);
      check(!regex.isEmpty(), pattern);
      parts.add(Pattern.compile(regex.toString(), Pattern.DOTALL));
      check(at == pattern.length() || pattern.charAt(at) == '.', pattern);
      at++;
    }
    check(parts.size() == 2, pattern);
    return new Parts(parts.get(0), parts.get(1));
  }

  private static int quoted(String pattern, int start, StringBuilder regex) {
    int at = start + 1;
    while (true) {
      check(at < pattern.length(), pattern);
      char c = pattern.charAt(at++);
      if (c != '"') {
        regex.append(literal(c));
      } else if (pattern.startsWith("\"", at)) {
        regex.append('"');
        at++;
      } else {
        return at;
      }
    }
  }

  private static int plain(String pattern, int start, StringBuilder regex) {
    int at = start;
    while (at < pattern.length() && pattern.charAt(at) != '.') {
      char c = pattern.charAt(at++);
      check(c != '"', pattern);
      regex.append(
          switch (c) {
            case '*' -> ".*";
            case '?' -> ".";
            default -> literal(c);
          });
    }
    return at;
  }

  private static String literal(char c) {
    return Pattern.quote(String.valueOf(c));
  }

  private static void check(boolean holds, String pattern) {
    checkArgument(
        holds,
        "Invalid table pattern: '%s' (must be <schema>.<table>, with * and ? as wildcards and odd names in double quotes, for example public.* or public.\"odd.name\")",
        pattern);
  }
}
