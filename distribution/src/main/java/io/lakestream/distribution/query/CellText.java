package io.lakestream.distribution.query;

import org.jline.utils.WCWidth;

/** Texts in the cells of a printed table: one line each, measured in terminal columns. */
public final class CellText {
  private CellText() {}

  /** Terminal columns that the text takes: 2 for each wide character, such as an ideogram. */
  public static int width(String text) {
    return text.codePoints().map(c -> Math.max(0, WCWidth.wcwidth(c))).sum();
  }

  /** The text with line breaks, tabs and other control characters spelled out. */
  static String printable(String text) {
    if (text.codePoints().noneMatch(Character::isISOControl)) {
      return text;
    }
    StringBuilder printed = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '\n' -> printed.append("\\n");
                case '\r' -> printed.append("\\r");
                case '\t' -> printed.append("\\t");
                default -> {
                  if (Character.isISOControl(c)) {
                    printed.append(String.format("\\x%02x", c));
                  } else {
                    printed.appendCodePoint(c);
                  }
                }
              }
            });
    return printed.toString();
  }

  /** The text, or as much of its start as fits into {@code columns} with an ellipsis. */
  static String cut(String text, int columns) {
    if (width(text) <= columns) {
      return text;
    }
    StringBuilder start = new StringBuilder();
    int[] points = text.codePoints().toArray();
    for (int i = 0; i < points.length; i++) {
      String next = Character.toString(points[i]);
      if (width(start.toString()) + width(next) > columns - 1) {
        break;
      }
      start.append(next);
    }
    return start + "…";
  }
}
