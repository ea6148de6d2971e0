package io.lakestream.cdc;

import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.position.CapturedTable;
import io.lakestream.cdc.source.Discovery;
import io.lakestream.cdc.source.Refusal;
import io.lakestream.cdc.source.Source;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.write.PauseReasons;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.StateBoard.TableState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  private static final String ALL = "*";

  /** A table that a session writes. */
  record Registered(SourceTable table, LiveTable live, CapturedTable captured) {}

  /**
   * How a session begins.
   *
   * @param barrier no cut before it; empty where nothing was captured before
   */
  record Start(List<Registered> tables, Optional<SourcePosition> barrier) {}

  private final Source source;
  private final SourceConnection connection;
  private final SourceConfig config;
  private final FlussTables tables;
  private final CaptureProgress progress;
  private final CaptureState state;

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
  }

  Start register() {
    boolean startsOver = !progress.isStarted() || progress.isResyncRequested(ALL);
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
        registered, startsOver ? Optional.empty() : Optional.of(connection.currentPosition()));
  }

  /** Fails where the source no longer has every change since the last acknowledgement. */
  private void checkNothingLost() {
    Optional<String> loss = connection.findLoss(progress.offsets().map(source::keptPosition));
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
    tables.list().stream()
        .map(live -> live.definition().name())
        .filter(name -> name.source().equals(config.name()))
        .forEach(tables::drop);
    connection.takePlace();
    // From here on a restart goes on; before, it would have begun again.
    progress.putTables(List.of());
    progress.resyncBegun(ALL);
    LOG.info("Copies everything: source={} tables={}", config.name(), discovery.tables().size());
  }

  private List<Registered> reconcile(Discovery discovery) {
    Map<String, SourceTable> found =
        discovery.tables().stream()
            .collect(Collectors.toMap(SourceTable::display, Function.identity()));
    Map<String, String> refused =
        discovery.refusals().stream().collect(Collectors.toMap(Refusal::display, Refusal::reason));
    Map<String, CapturedTable> captured = new LinkedHashMap<>();
    progress.tables().forEach(table -> captured.put(table.display(), table));
    List<SourceTable> published = new ArrayList<>();
    for (CapturedTable table : List.copyOf(captured.values())) {
      SourceTable now = found.get(table.display());
      if (now != null && progress.isResyncRequested(table.display())) {
        captured.put(table.display(), anew(now));
        published.add(now);
        continue;
      }
      String reason = whyPaused(table, now, refused.get(table.display()));
      if (reason.isEmpty()) {
        published.add(now);
      } else {
        captured.put(table.display(), table.paused(reason));
      }
    }
    for (SourceTable table : discovery.tables()) {
      if (!captured.containsKey(table.display())) {
        captured.put(table.display(), anew(table));
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

  /** Forgets what Fluss has of a table: it may be of another shape, or lack deletions. */
  private CapturedTable anew(SourceTable table) {
    TableName name = table.definition().name();
    if (tables.find(name).isPresent()) {
      tables.drop(name);
    }
    LOG.info("Copies a table anew: table={}", name);
    return CapturedTable.toCopy(name.schema(), name.table(), table.fingerprint());
  }

  private List<Registered> open(List<SourceTable> published, Map<String, CapturedTable> captured) {
    List<Registered> registered = new ArrayList<>();
    for (SourceTable table : published) {
      CapturedTable kept = captured.get(table.display());
      Optional<LiveTable> live = create(table);
      if (live.isPresent()) {
        state.table(table.display(), kept.copied() ? TableState.LIVE : TableState.SNAPSHOT, "");
        registered.add(new Registered(table, live.get(), kept));
      }
    }
    captured.values().stream()
        .filter(CapturedTable::isPaused)
        .forEach(t -> state.table(t.display(), TableState.PAUSED, t.pauseReason()));
    return registered;
  }

  /** Creates a table where it is missing; empty where Fluss refuses it. */
  private Optional<LiveTable> create(SourceTable table) {
    try {
      return Optional.of(tables.create(table.definition()));
    } catch (LakestreamException e) {
      if (!(e.getCause() instanceof InvalidTableException)) {
        throw e;
      }
      state.table(table.display(), TableState.REFUSED, e.getMessage());
      return Optional.empty();
    }
  }

  private String whyPaused(CapturedTable table, SourceTable found, String refusal) {
    if (table.isPaused()) {
      return table.pauseReason();
    }
    if (refusal != null) {
      return refusal;
    }
    if (found == null) {
      return paused(table, "it is gone from the source, or no longer matches the patterns");
    }
    if (!found.fingerprint().equals(table.fingerprint())) {
      return paused(
          table, "its columns or its key changed in the source, which is not followed yet");
    }
    if (!table.copied() && table.copiedTo().isEmpty()) {
      return ""; // nothing of it need be in Fluss yet
    }
    Optional<LiveTable> live = tables.find(found.definition().name());
    boolean sameInFluss =
        live.isPresent()
            && live.get().definition().primaryKey().equals(found.definition().primaryKey())
            && shape(live.get().definition().columns()).equals(shape(found.definition().columns()));
    return sameInFluss ? "" : paused(table, "it was dropped or changed in Fluss");
  }

  private String paused(CapturedTable table, String why) {
    return PauseReasons.withWayOut(config.name(), table.display(), why);
  }

  private static List<String> shape(List<Column> columns) {
    return columns.stream().map(column -> column.name() + " " + column.type()).toList();
  }
}
