package io.lakestream.distribution.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Lines of cells in columns as wide as their widest cell. */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<List<String>> lines = new ArrayList<>();

  public TextTable(String... headings) {
    lines.add(List.of(headings));
  }

  /** Adds a line; null shows as {@code -}. */
  public void add(Object... cells) {
    lines.add(Arrays.stream(cells).map(cell -> Objects.toString(cell, "-")).toList());
  }

  /** The lines, without spaces at their ends. */
  public List<String> lines() {
    int[] widths = new int[lines.get(0).size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    List<String> texts = new ArrayList<>();
    for (List<String> line : lines) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String cell = line.get(i);
        text.append(cell).append(" ".repeat(widths[i] - cell.length())).append(GAP);
      }
      texts.add(text.toString().stripTrailing());
    }
    return texts;
  }
}
