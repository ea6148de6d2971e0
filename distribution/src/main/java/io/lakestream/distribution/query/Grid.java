package io.lakestream.distribution.query;

/** Lines of cells under one another, two blanks between the columns. */
public final class Grid {
  private final boolean[] right;
  private final int[] widths;

  /**
   * @param right which columns stand at the right, as numbers do; one per column
   */
  public Grid(boolean... right) {
    this.right = right.clone();
    this.widths = new int[right.length];
  }

  /** Makes room for these cells. Call for every line before the first {@link #line}. */
  public void measure(String... cells) {
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], CellText.width(cells[i]));
    }
  }

  /** The cells as one line; a cell wider than its room moves those after it. */
  public String line(String... cells) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String blanks = " ".repeat(Math.max(0, widths[i] - CellText.width(cells[i])));
      line.append(i == 0 ? "" : "  ").append(right[i] ? blanks + cells[i] : cells[i] + blanks);
    }
    return line.toString().stripTrailing();
  }

  /** A line under the names of the columns. */
  public String rule() {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(i == 0 ? "" : "  ").append("-".repeat(widths[i]));
    }
    return line.toString();
  }
}
