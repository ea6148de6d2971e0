package io.lakestream.distribution.verify;

import static io.lakestream.tables.error.Checks.checkArgument;

import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Compares tables of one source with the view.
 *
 * <p>While nobody writes to the source ({@link #verifyQuiet}) the comparison is exact: one position
 * taken after the last write, one cut that covers it, and every value must be equal.
 *
 * <p>A source in use ({@link #verifyLive}) has moved on by the time the view covers what was read
 * from it. So the first round compares everything, and the rounds after it compare only the keys
 * that differed, each time read anew on both sides. A key is settled as equal in the first round
 * that finds it equal. In each round the source is read before the position is taken and again
 * after the view was read: a key that differs in the last round although the source's row stood
 * still meanwhile is a difference; one that the source kept changing is undecided.
 */
public final class Verifier {
  /** Rounds that settle a source in use, the first included. */
  public static final int ROUNDS = 5;

  private final SourceReader source;
  private final Supplier<SourcePosition> mark;
  private final View view;
  private final Path folder;
  private final Duration patience;

  /**
   * @param mark takes a position that covers everything committed before the call
   * @param folder for temporary files; created where it is missing
   * @param patience how long the view may take to cover a position
   */
  public Verifier(
      SourceReader source,
      Supplier<SourcePosition> mark,
      View view,
      Path folder,
      Duration patience) {
    this.source = source;
    this.mark = mark;
    this.view = view;
    this.folder = folder;
    this.patience = patience;
  }

  /** Compares at one position. Nobody may write to the tables meanwhile. */
  public VerifyReport verifyQuiet(List<TableDefinition> tables) {
    SourcePosition position = mark.get();
    View.Pinned pinned = view.pin(names(tables), position, patience);
    source.beginSnapshot();
    try {
      return report(pinned.position(), tables, compareAll(tables, pinned), Map.of());
    } finally {
      source.endSnapshot();
    }
  }

  /**
   * Compares while others write.
   *
   * @param rounds at least 1
   */
  public VerifyReport verifyLive(List<TableDefinition> tables, int rounds) {
    checkArgument(rounds >= 1, "Invalid number of rounds: %s (must be >= 1)", rounds);
    source.beginSnapshot();
    Map<TableName, TableComparison.Result> first;
    View.Pinned pinned;
    try {
      pinned = view.pin(names(tables), mark.get(), patience);
      first = compareAll(tables, pinned);
    } finally {
      source.endSnapshot();
    }
    Map<TableName, Map<List<String>, List<Difference>>> open = new HashMap<>();
    first.forEach((table, result) -> open.put(table, new HashMap<>(result.differences())));
    // One round at least: in the first, the source has moved on even where all is well.
    Map<TableName, Set<List<String>>> moving = new HashMap<>();
    for (int round = 1; round < Math.max(2, rounds) && anyOpen(open); round++) {
      pinned = compareAgain(tables, open, moving);
    }
    return report(pinned.position(), tables, settled(first, open), moving);
  }

  private static boolean anyOpen(Map<TableName, Map<List<String>, List<Difference>>> open) {
    return open.values().stream().anyMatch(keys -> !keys.isEmpty());
  }

  private Map<TableName, TableComparison.Result> compareAll(
      List<TableDefinition> tables, View.Pinned pinned) {
    Map<TableName, TableComparison.Result> results = new HashMap<>();
    for (TableDefinition table : tables) {
      results.put(table.name(), new TableComparison(table, folder).compare(source, pinned));
    }
    return results;
  }

  private View.Pinned compareAgain(
      List<TableDefinition> tables,
      Map<TableName, Map<List<String>, List<Difference>>> open,
      Map<TableName, Set<List<String>>> moving) {
    List<TableDefinition> left =
        tables.stream().filter(table -> !open.get(table.name()).isEmpty()).toList();
    Map<TableName, Map<List<String>, String[]>> before = readSource(left, open);
    View.Pinned pinned = view.pin(names(left), mark.get(), patience);
    Map<TableName, Map<List<String>, List<Difference>>> found = new HashMap<>();
    for (TableDefinition table : left) {
      Set<List<String>> keys = open.get(table.name()).keySet();
      found.put(
          table.name(),
          new TableComparison(table, folder).compareKeys(before.get(table.name()), pinned, keys));
    }
    Map<TableName, Map<List<String>, String[]>> after = readSource(left, open);
    for (TableDefinition table : left) {
      TableName name = table.name();
      Set<List<String>> moved = new HashSet<>();
      for (List<String> key : found.get(name).keySet()) {
        if (!Arrays.equals(before.get(name).get(key), after.get(name).get(key))) {
          moved.add(key);
        }
      }
      open.put(name, found.get(name));
      moving.put(name, moved);
    }
    return pinned;
  }

  private Map<TableName, Map<List<String>, String[]>> readSource(
      List<TableDefinition> tables, Map<TableName, Map<List<String>, List<Difference>>> open) {
    source.beginSnapshot();
    try {
      Map<TableName, Map<List<String>, String[]>> rows = new HashMap<>();
      for (TableDefinition table : tables) {
        rows.put(
            table.name(),
            new TableComparison(table, folder).sourceRows(source, open.get(table.name()).keySet()));
      }
      return rows;
    } finally {
      source.endSnapshot();
    }
  }

  private static Map<TableName, TableComparison.Result> settled(
      Map<TableName, TableComparison.Result> first,
      Map<TableName, Map<List<String>, List<Difference>>> open) {
    Map<TableName, TableComparison.Result> results = new HashMap<>();
    first.forEach(
        (table, result) ->
            results.put(table, new TableComparison.Result(result.rows(), open.get(table))));
    return results;
  }

  private static VerifyReport report(
      SourcePosition position,
      List<TableDefinition> tables,
      Map<TableName, TableComparison.Result> results,
      Map<TableName, Set<List<String>>> moving) {
    List<VerifyReport.TableReport> reports = new ArrayList<>();
    for (TableDefinition table : tables) {
      TableComparison.Result result = results.get(table.name());
      Set<List<String>> moved = moving.getOrDefault(table.name(), Set.of());
      List<Difference> differences = new ArrayList<>();
      long undecided = 0;
      for (Map.Entry<List<String>, List<Difference>> entry : result.differences().entrySet()) {
        if (moved.contains(entry.getKey())) {
          undecided++;
        } else {
          differences.addAll(entry.getValue());
        }
      }
      reports.add(
          new VerifyReport.TableReport(table.name(), result.rows(), differences, undecided));
    }
    return new VerifyReport(position, reports);
  }

  private static List<TableName> names(List<TableDefinition> tables) {
    return tables.stream().map(TableDefinition::name).toList();
  }
}
