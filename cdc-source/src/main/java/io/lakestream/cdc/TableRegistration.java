package io.lakestream.cdc;

import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.position.CapturedTable;
import io.lakestream.cdc.source.Discovery;
import io.lakestream.cdc.source.Refusal;
import io.lakestream.cdc.source.Source;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.cdc.write.PauseReasons;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.CutLog;
import io.lakestream.tables.system.StateBoard.TableState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.fluss.exception.InvalidTableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the tables that the patterns match together with those that an earlier session captured,
 * and prepares Fluss, the publication and the place in the source's log for a session.
 *
 * <p>Whatever is new is copied beside the stream; whatever was captured goes on, from where its
 * copy or its stream stopped.
 */
final class TableRegistration {
  private static final Logger LOG = LoggerFactory.getLogger(TableRegistration.class);
  // A server takes this long to notice that the process that read its log is gone.
  private static final Duration PLACE_PATIENCE = Duration.ofSeconds(20);
  private static final Duration PLACE_PAUSE = Duration.ofMillis(100);

  /**
   * A table that a session writes.
   *
   * @param since what every reading of its copy has seen; empty where the stream brings none of it
   * @param added by column that was added in place: changes among that may come without it
   */
  record Registered(
      SourceTable table,
      LiveTable live,
      CapturedTable captured,
      Optional<TableCopy.Seen> since,
      Map<String, TableCopy.Seen> added) {}

  /**
   * How a session begins.
   *
   * @param barrier no cut before it; empty where nothing was captured before
   * @param waiting {@code <schema>.<table>} of the tables that are gone from the source, or cannot
   *     be captured as they are, and are copied anew once they can
   */
  record Start(List<Registered> tables, Optional<SourcePosition> barrier, Set<String> waiting) {}

  private final Source source;
  private final SourceConnection connection;
  private final SourceConfig config;
  private final FlussTables tables;
  private final CaptureProgress progress;
  private final CaptureState state;
  private final TableHomes homes;
  private final Set<String> waiting = new TreeSet<>();
  private TableCopy.Seen visible;

  TableRegistration(
      Source source,
      SourceConnection connection,
      FlussTables tables,
      CaptureProgress progress,
      CaptureState state) {
    this.source = source;
    this.connection = connection;
    this.config = source.config();
    this.tables = tables;
    this.progress = progress;
    this.state = state;
    try (CutLog cuts = CutLog.open(tables, config.name())) {
      this.homes = new TableHomes(tables, cuts.latest());
    }
  }

  Start register() {
    boolean startsOver = !progress.isStarted() || progress.isResyncOfAllRequested();
    connection.check(!startsOver);
    if (!startsOver) {
      checkNothingLost();
    }
    Discovery discovery = connection.discover();
    if (progress.tables().isEmpty()) {
      discovery.checkNotEmpty(config.name());
    }
    awaitFreePlace();
    if (startsOver) {
      startOver(discovery);
    }
    List<Registered> registered = reconcile(discovery);
    discovery.refusals().stream()
        .filter(refusal -> !state.knows(refusal.display()))
        .forEach(r -> state.table(r.display(), TableState.REFUSED, r.reason()));
    state.removeOthers();
    // Whatever the session before wrote lies before where the log ends now that it no longer reads.
    return new Start(
        registered,
        startsOver ? Optional.empty() : Optional.of(connection.currentPosition()),
        waiting);
  }

  /** Fails where the source no longer has every change since the last acknowledgement. */
  private void checkNothingLost() {
    Optional<String> loss =
        connection.findLoss(progress.offsets().or(progress::place).map(source::keptPosition));
    if (loss.isPresent()) {
      throw new LakestreamException(
          ErrorCode.SOURCE_CHANGES_LOST,
          "Cannot go on with source %s: %s, so changes since then are lost. Take a new copy of its tables: lakestream cdc resync --source %s --all",
          config.name(),
          loss.get(),
          config.name());
    }
  }

  private void awaitFreePlace() {
    long deadline = System.nanoTime() + PLACE_PATIENCE.toNanos();
    while (connection.isPlaceInUse()) {
      if (System.nanoTime() > deadline || Thread.currentThread().isInterrupted()) {
        throw connection.placeInUse();
      }
      LockSupport.parkNanos(PLACE_PAUSE.toNanos());
    }
  }

  // What an earlier place in the log stood for is gone: rows may have vanished unseen since.
  private void startOver(Discovery discovery) {
    connection.publish(discovery.tables());
    connection.dropPlace();
    progress.startOver();
    Set<TableName> found =
        discovery.tables().stream()
            .map(table -> table.definition().name())
            .collect(Collectors.toSet());
    tables.list().stream()
        .map(live -> live.definition().name())
        .filter(name -> name.source().equals(config.name()) && !found.contains(name))
        .forEach(tables::drop);
    connection.takePlace().ifPresent(progress::putPlace);
    // From here on a restart goes on; before, it would have begun again.
    progress.putTables(List.of());
    progress.resyncOfAllBegun();
    LOG.info("Copies everything: source={} tables={}", config.name(), discovery.tables().size());
  }

  private List<Registered> reconcile(Discovery discovery) {
    Map<String, SourceTable> found =
        discovery.tables().stream()
            .collect(Collectors.toMap(SourceTable::display, Function.identity()));
    Map<String, String> refused =
        discovery.refusals().stream().collect(Collectors.toMap(Refusal::display, Refusal::reason));
    Map<String, CapturedTable> captured = new LinkedHashMap<>();
    List<SourceTable> published = new ArrayList<>();
    for (CapturedTable table : progress.tables()) {
      SourceTable now = found.remove(table.display());
      CapturedTable next =
          now == null
              ? gone(table, refused.get(table.display()))
              : next(table, now, progress.isResyncRequested(table.display()));
      captured.put(table.display(), next);
      if (!next.isPaused()) {
        published.add(now);
      }
    }
    for (SourceTable table : discovery.tables()) {
      if (found.containsKey(table.display())) {
        captured.put(table.display(), homes.begin(table, "the source is copied anew", 0, seen()));
        published.add(table);
      }
    }
    if (!published.isEmpty()) {
      // Before any copy begins: what is not published is not in the stream.
      connection.publish(published);
    }
    progress.putTables(List.copyOf(captured.values()));
    published.forEach(table -> progress.resyncBegun(table.display()));
    return open(published, captured);
  }

  // What the readings of copies see that begin now. Asked for behind the look into the catalog: a
  // table that changes after that look differs from what is registered, and is found out.
  private TableCopy.Seen seen() {
    if (visible == null) {
      visible = connection.seenNow();
    }
    return visible;
  }

  /** A table that the source does not have any more, or that cannot be captured as it is. */
  private CapturedTable gone(CapturedTable table, String refusal) {
    boolean waits = !table.isPaused() || !table.change().isEmpty();
    if (waits && config.schemaChanges().areFollowed(table.display())) {
      waiting.add(table.display());
    }
    if (table.isPaused()) {
      return table;
    }
    String change = "it is gone from the source, or no longer matches the patterns";
    return refusal == null
        ? table.paused(paused(table, change)).changed(change)
        : table.paused(refusal).changed("it could not be captured for a while");
  }

  private CapturedTable next(CapturedTable table, SourceTable now, boolean asked) {
    if (asked) {
      return homes.begin(now, "a new copy was asked for", 0, seen());
    }
    String change = change(table, now);
    if (change.isEmpty()) {
      return table.isPaused()
          ? table
          : table.grown(now.fingerprint(), ColumnGrowth.remember(now, table.growth().added()));
    }
    if (!config.schemaChanges().areFollowed(table.display())) {
      return table.paused(paused(table, change)).changed(change);
    }
    return homes
        .grow(now, table, seen())
        .orElseGet(() -> homes.begin(now, change, table.copy().attempts(), seen()));
  }

  /** Why a table cannot be gone on with; empty where it can, or where it waits for somebody. */
  private String change(CapturedTable table, SourceTable now) {
    if (!table.change().isEmpty()) {
      return table.change();
    }
    if (!now.fingerprint().equals(table.fingerprint())) {
      return "its columns or its key changed in the source";
    }
    return table.isPaused() || homes.fitted(now, table.copy()).isPresent()
        ? ""
        : "it was dropped or changed in Fluss";
  }

  private List<Registered> open(List<SourceTable> published, Map<String, CapturedTable> captured) {
    Optional<SourcePosition> kept = progress.offsets().map(source::keptPosition);
    List<Registered> registered = new ArrayList<>();
    for (SourceTable table : published) {
      CapturedTable entry = captured.get(table.display());
      SourceTable fitted = homes.fitted(table, entry.copy()).orElse(table);
      Optional<LiveTable> live = create(fitted, entry);
      if (live.isPresent()) {
        state.table(
            table.display(),
            state(entry, live.get()),
            entry.copied() ? "" : why(live.get(), entry));
        registered.add(
            new Registered(fitted, live.get(), entry, since(entry, kept), added(entry, kept)));
      }
    }
    for (CapturedTable table : captured.values()) {
      if (table.isPaused()) {
        homes.keepLastCut(new TableName(config.name(), table.schema(), table.table()));
        state.table(table.display(), TableState.PAUSED, table.pauseReason());
      }
    }
    return registered;
  }

  private static TableState state(CapturedTable table, LiveTable live) {
    if (live.generation().isBehind()) {
      return TableState.REBUILDING;
    }
    return table.copied() ? TableState.LIVE : TableState.SNAPSHOT;
  }

  private static String why(LiveTable live, CapturedTable table) {
    return live.generation().isBehind() ? table.copy().why() : "";
  }

  private Optional<TableCopy.Seen> since(CapturedTable table, Optional<SourcePosition> kept) {
    return mayCome(table.copy().since(), kept);
  }

  private Map<String, TableCopy.Seen> added(CapturedTable table, Optional<SourcePosition> kept) {
    Map<String, TableCopy.Seen> added = new HashMap<>();
    table
        .growth()
        .added()
        .forEach((column, text) -> mayCome(text, kept).ifPresent(seen -> added.put(column, seen)));
    return added;
  }

  /** Empty where the source has been acknowledged beyond all of that. */
  private Optional<TableCopy.Seen> mayCome(String text, Optional<SourcePosition> kept) {
    TableCopy.Seen seen = source.parseSeen(text);
    return kept.filter(k -> k.covers(seen.position())).isPresent()
        ? Optional.empty()
        : Optional.of(seen);
  }

  /** Creates a table where it is missing; empty where Fluss refuses it. */
  private Optional<LiveTable> create(SourceTable table, CapturedTable captured) {
    try {
      return Optional.of(homes.open(table, captured.copy()));
    } catch (LakestreamException e) {
      if (!(e.getCause() instanceof InvalidTableException)) {
        throw e;
      }
      state.table(table.display(), TableState.REFUSED, e.getMessage());
      return Optional.empty();
    }
  }

  private String paused(CapturedTable table, String why) {
    return PauseReasons.withWayOut(config.name(), table.display(), why);
  }
}
