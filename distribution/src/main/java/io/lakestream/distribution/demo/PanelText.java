package io.lakestream.distribution.demo;

import io.lakestream.distribution.demo.DemoSample.TableSample;
import io.lakestream.distribution.query.Grid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** The lines of the panel. */
final class PanelText {
  private final String header;
  private final List<String> footer;

  /**
   * @param header what runs where
   * @param footer how to look at it from a second terminal
   */
  PanelText(String header, List<String> footer) {
    this.header = header;
    this.footer = List.copyOf(footer);
  }

  /** How to look at it from a second terminal. */
  List<String> footer() {
    return footer;
  }

  /** The whole panel, for a terminal. */
  List<String> panel(DemoSample sample) {
    List<String> lines = new ArrayList<>();
    lines.add(header);
    lines.add(
        String.format(
            Locale.ROOT,
            "running %s   transactions %,d (%.0f/s)   position %s   freshness %s",
            time(sample.running()),
            sample.transactions(),
            sample.transactionsPerSecond(),
            sample.position().isEmpty() ? "-" : sample.position(),
            millis(sample.freshnessMs())));
    if (!sample.trouble().isEmpty()) {
      lines.add("source " + sample.trouble());
    }
    lines.add("");
    lines.addAll(table(sample));
    lines.add("");
    lines.addAll(footer);
    return lines;
  }

  /** The same for a file or a pipe: one line about all, one for each table, named values. */
  List<String> plain(DemoSample sample) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "running=%s transactions=%d transactions/s=%.0f position=%s freshness_ms=%s rows=%d changes/s=%.0f tail_rows=%d",
            time(sample.running()),
            sample.transactions(),
            sample.transactionsPerSecond(),
            sample.position().isEmpty() ? "-" : sample.position(),
            number(sample.freshnessMs()),
            sample.rows(),
            sample.changesPerSecond(),
            sample.tailRows()));
    for (TableSample table : sample.tables()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "  table=%s rows=%d changes/s=%.0f tail_rows=%d lake_snapshot=%s lake_age_ms=%s files=%d",
              table.name(),
              table.rows(),
              table.changesPerSecond(),
              table.tailRows(),
              number(table.lakeSnapshotId()),
              number(table.lakeAgeMs()),
              table.files()));
    }
    return lines;
  }

  private static List<String> table(DemoSample sample) {
    List<String[]> cells = new ArrayList<>();
    cells.add(
        new String[] {
          "table", "rows", "changes/s", "stream tail", "lake snapshot", "lake age", "files"
        });
    for (TableSample table : sample.tables()) {
      cells.add(
          new String[] {
            table.name(),
            String.format(Locale.ROOT, "%,d", table.rows()),
            String.format(Locale.ROOT, "%.0f", table.changesPerSecond()),
            String.format(Locale.ROOT, "%,d", table.tailRows()),
            number(table.lakeSnapshotId()),
            age(table.lakeAgeMs()),
            Long.toString(table.files())
          });
    }
    // Room for numbers to grow, so that the columns stand still.
    Grid grid = new Grid(false, true, true, true, true, true, true);
    grid.measure("", "999,999,999", "99,999", "999,999", "9223372036854775807", "999.9 s", "99999");
    cells.forEach(grid::measure);
    List<String> lines = new ArrayList<>();
    lines.add(grid.line(cells.get(0)));
    lines.add(grid.rule());
    cells.stream().skip(1).map(grid::line).forEach(lines::add);
    return lines;
  }

  private static String number(OptionalLong value) {
    return value.isPresent() ? Long.toString(value.getAsLong()) : "-";
  }

  private static String millis(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() + " ms" : "-";
  }

  private static String age(OptionalLong ms) {
    if (ms.isEmpty()) {
      return "-";
    }
    long seconds = ms.getAsLong() / 1000;
    return seconds < 600
        ? String.format(Locale.ROOT, "%.1f s", ms.getAsLong() / 1000.0)
        : time(Duration.ofSeconds(seconds));
  }

  private static String time(Duration time) {
    return String.format(
        Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart());
  }
}
