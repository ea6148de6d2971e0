package io.lakestream.cdc;

import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.position.CapturedTable;
import io.lakestream.cdc.source.Discovery;
import io.lakestream.cdc.source.Refusal;
import io.lakestream.cdc.source.Source;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.cdc.source.SourceTable;
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
 * Decides how a session begins, with an initial copy or where the one before stopped, and prepares
 * the tables in Fluss, the publication and the slot for it.
 */
final class TableRegistration {
  private static final Logger LOG = LoggerFactory.getLogger(TableRegistration.class);
  // A server takes this long to notice that the process that read its log is gone.
  private static final Duration PLACE_PATIENCE = Duration.ofSeconds(20);
  private static final Duration PLACE_PAUSE = Duration.ofMillis(100);

  /** A table that a session writes. */
  record Registered(SourceTable table, LiveTable live) {}

  /**
   * How a session begins.
   *
   * @param copying true for an initial copy
   * @param barrier no cut before it; empty for an initial copy
   */
  record Start(List<Registered> tables, boolean copying, Optional<SourcePosition> barrier) {}

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
    boolean resumes = progress.isCopyComplete();
    connection.check(resumes);
    if (resumes) {
      checkNothingLost();
    }
    Discovery discovery = connection.discover();
    awaitFreePlace();
    Start start = resumes ? resume(discovery) : startOver(discovery);
    discovery.refusals().stream()
        .filter(refusal -> !state.knows(refusal.display()))
        .forEach(r -> state.table(r.display(), TableState.REFUSED, r.reason()));
    state.removeOthers();
    return start;
  }

  /** Fails where the source no longer has every change since the last acknowledgement. */
  private void checkNothingLost() {
    SourcePosition position = source.keptPosition(progress.offsets().orElseThrow());
    Optional<String> loss = connection.findLoss(position);
    if (loss.isPresent()) {
      throw new LakestreamException(
          ErrorCode.SOURCE_CHANGES_LOST,
          "Cannot go on with source %s: %s, so changes since then are lost. Take a new copy: start on a fresh data folder, or drop the tables of the source.",
          config.name(),
          loss.get());
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

  private Start startOver(Discovery discovery) {
    discovery.checkNotEmpty(config.name());
    connection.publish(discovery.tables());
    connection.dropPlace();
    progress.startOver();
    // What an interrupted copy left may hold rows that the source has deleted since.
    tables.list().stream()
        .map(live -> live.definition().name())
        .filter(name -> name.source().equals(config.name()))
        .forEach(tables::drop);
    List<Registered> registered = new ArrayList<>();
    for (SourceTable table : discovery.tables()) {
      create(table).ifPresent(registered::add);
    }
    progress.putTables(
        registered.stream()
            .map(
                r ->
                    new CapturedTable(
                        r.table().definition().name().schema(),
                        r.table().definition().name().table(),
                        r.table().fingerprint(),
                        ""))
            .toList());
    LOG.info("Takes the initial copy: source={} tables={}", config.name(), registered.size());
    return new Start(registered, true, Optional.empty());
  }

  private Optional<Registered> create(SourceTable table) {
    try {
      LiveTable live = tables.create(table.definition());
      state.table(table.display(), TableState.SNAPSHOT, "");
      return Optional.of(new Registered(table, live));
    } catch (LakestreamException e) {
      if (!(e.getCause() instanceof InvalidTableException)) {
        throw e;
      }
      state.table(table.display(), TableState.REFUSED, e.getMessage());
      return Optional.empty();
    }
  }

  private Start resume(Discovery discovery) {
    Map<String, SourceTable> found =
        discovery.tables().stream()
            .collect(Collectors.toMap(SourceTable::display, Function.identity()));
    Map<String, String> refused =
        discovery.refusals().stream().collect(Collectors.toMap(Refusal::display, Refusal::reason));
    List<CapturedTable> captured = progress.tables();
    List<Registered> registered = new ArrayList<>();
    for (CapturedTable table : captured) {
      Optional<LiveTable> live =
          tables.find(new TableName(config.name(), table.schema(), table.table()));
      String reason =
          whyPaused(table, found.get(table.display()), live, refused.get(table.display()));
      if (reason.isEmpty()) {
        state.table(table.display(), TableState.LIVE, "");
        registered.add(new Registered(found.get(table.display()), live.orElseThrow()));
      } else {
        progress.pause(table.display(), reason);
        state.table(table.display(), TableState.PAUSED, reason);
      }
    }
    found.keySet().stream()
        .filter(name -> captured.stream().noneMatch(table -> table.display().equals(name)))
        .forEach(name -> state.table(name, TableState.REFUSED, appearedLater(name)));
    if (!registered.isEmpty()) {
      connection.publish(registered.stream().map(Registered::table).toList());
    }
    // Whatever the session before wrote lies before where the log ends now that it no longer reads.
    return new Start(registered, false, Optional.of(connection.currentPosition()));
  }

  private String whyPaused(
      CapturedTable table, SourceTable found, Optional<LiveTable> live, String refusal) {
    if (table.isPaused()) {
      return table.pauseReason();
    }
    if (refusal != null) {
      return refusal;
    }
    String newCopy =
        " What it holds is from before that. For a new copy, start on a fresh data folder, or drop the tables of the source.";
    if (found == null) {
      return "Table "
          + table.display()
          + " is paused: it is gone from the source, or no longer matches the patterns."
          + newCopy;
    }
    if (!found.fingerprint().equals(table.fingerprint())) {
      return "Table "
          + table.display()
          + " is paused: its columns or its key changed in the source, which is not followed yet."
          + newCopy;
    }
    boolean sameInFluss =
        live.isPresent()
            && live.get().definition().primaryKey().equals(found.definition().primaryKey())
            && shape(live.get().definition().columns()).equals(shape(found.definition().columns()));
    return sameInFluss
        ? ""
        : "Table " + table.display() + " is paused: it was dropped or changed in Fluss." + newCopy;
  }

  private static List<String> shape(List<Column> columns) {
    return columns.stream().map(column -> column.name() + " " + column.type()).toList();
  }

  static String appearedLater(String name) {
    return "Table "
        + name
        + " is not captured: it appeared, or became fit for capture, after the source was first"
        + " captured. To capture it, start on a fresh data folder, or drop the tables of the"
        + " source.";
  }
}
