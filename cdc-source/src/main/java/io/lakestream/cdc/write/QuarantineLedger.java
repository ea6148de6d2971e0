package io.lakestream.cdc.write;

import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.system.Quarantine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which rows of a source are in quarantine, as the stream stands: a row enters with a version that
 * does not convert and leaves with the next one that does, or with its deletion. For one thread at
 * a time, but where a method says otherwise.
 *
 * <p>What changes is kept by {@link #flush}, which comes behind the flush of the rows themselves
 * and before their acknowledgement. So a row that is not listed is durable in Fluss, and what a
 * crash cuts off comes again with the replay, which ends at the same list.
 */
public final class QuarantineLedger implements AutoCloseable {
  private record RowKey(String table, String key) {}

  private final String source;
  private final Quarantine quarantine;
  private final Map<String, Set<String>> keys = new ConcurrentHashMap<>();
  // Since the last flush; empty for a row that left.
  private final Map<RowKey, Optional<Quarantine.Entry>> changed = new LinkedHashMap<>();

  private QuarantineLedger(String source, Quarantine quarantine) {
    this.source = source;
    this.quarantine = quarantine;
  }

  /** Opens the ledger of a source with what earlier runs left in it. */
  public static QuarantineLedger open(FlussTables tables, String source) {
    QuarantineLedger ledger = new QuarantineLedger(source, Quarantine.open(tables));
    ledger.quarantine.list().stream()
        .filter(entry -> entry.source().equals(source))
        .forEach(entry -> ledger.keysOf(entry.table()).add(entry.key()));
    return ledger;
  }

  private Set<String> keysOf(String table) {
    return keys.computeIfAbsent(table, none -> ConcurrentHashMap.newKeySet());
  }

  /** Number of rows by {@code <schema>.<table>}; tables without any may be missing. Any thread. */
  public Map<String, Long> counts() {
    Map<String, Long> counts = new TreeMap<>();
    keys.forEach((table, rows) -> counts.put(table, (long) rows.size()));
    return counts;
  }

  /** Keys of the rows of a table, as {@link Quarantine.Entry#key} has them. Any thread. */
  public List<String> keys(String table) {
    return List.copyOf(keys.getOrDefault(table, Set.of()));
  }

  int count(String table) {
    return keys.getOrDefault(table, Set.of()).size();
  }

  void enter(Quarantine.Entry entry) {
    keysOf(entry.table()).add(entry.key());
    changed.put(new RowKey(entry.table(), entry.key()), Optional.of(entry));
  }

  /** Takes a row off; does nothing where it is not listed. */
  public void leave(String table, String key) {
    if (keys.getOrDefault(table, Set.of()).remove(key)) {
      changed.put(new RowKey(table, key), Optional.empty());
    }
  }

  /** Takes all rows of a table off. */
  public void leaveAll(String table) {
    keys(table).forEach(key -> leave(table, key));
  }

  /** Takes all rows off but those of some tables. */
  public void retain(Set<String> tables) {
    List.copyOf(keys.keySet()).stream()
        .filter(table -> !tables.contains(table))
        .forEach(this::leaveAll);
  }

  /** Keeps what changed; durable on return. */
  public void flush() {
    if (changed.isEmpty()) {
      return;
    }
    List<Quarantine.Entry> entered = new ArrayList<>();
    Map<String, List<String>> left = new HashMap<>();
    changed.forEach(
        (row, entry) ->
            entry.ifPresentOrElse(
                entered::add,
                () -> left.computeIfAbsent(row.table(), none -> new ArrayList<>()).add(row.key())));
    quarantine.put(entered);
    left.forEach((table, rows) -> quarantine.remove(source, table, rows));
    changed.clear();
  }

  @Override
  public void close() {
    quarantine.close();
  }
}
