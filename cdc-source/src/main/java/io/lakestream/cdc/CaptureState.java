package io.lakestream.cdc;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.write.CaptureListener;
import io.lakestream.cdc.write.TableChanges;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.system.StateBoard;
import io.lakestream.tables.system.StateBoard.SourceState;
import io.lakestream.tables.system.StateBoard.TableState;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What capture says of itself: in memory for {@link CaptureStatus}, on the board for all. */
final class CaptureState implements CaptureListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CaptureState.class);

  /**
   * A table's line.
   *
   * @param why it is in its state; may be empty
   * @param how far its copy is; may be empty
   */
  private record TableLine(TableState state, String why, String how) {
    String reason() {
      return why.isEmpty() || how.isEmpty() ? why + how : why + "; " + how;
    }
  }

  private final String source;
  private final StateBoard board;
  private final LongConsumer flushes;
  private final Map<String, TableLine> tables = new TreeMap<>();
  private SourceState state = SourceState.STARTING;
  private String reason = "";
  // Until the first line of this run, the board shows how the run before ended.
  private boolean onBoard;
  // What is being tried again, until a cut shows that it worked.
  private String trouble = "";
  private Optional<LakestreamException> failure = Optional.empty();
  private Optional<SourcePosition> position = Optional.empty();
  private Instant sourceTime;
  private long cuts;
  private final Map<String, CaptureStatus.Copied> copies = new HashMap<>();
  private OptionalLong lagBytes = OptionalLong.empty();
  private long uncutRows;
  private long sessions;
  private long failures;
  private long progressNanos = System.nanoTime();

  private CaptureState(String source, StateBoard board, LongConsumer flushes) {
    this.flushes = flushes;
    this.source = source;
    this.board = board;
  }

  static CaptureState open(SourceConfig config, FlussTables tables, CaptureOptions options) {
    return new CaptureState(config.name(), StateBoard.open(tables), options.flushNanos());
  }

  /** A session failed and another follows: the reason stays until that one has written a cut. */
  synchronized void retrying(String why) {
    trouble = why;
    source(SourceState.STARTING);
  }

  /** A new state of a source that works, or works again as far as anyone knows. */
  synchronized void source(SourceState newState) {
    source(newState, trouble.isEmpty() ? "" : troubleIn(newState));
  }

  private String troubleIn(SourceState newState) {
    return newState == SourceState.STARTING
        ? trouble + " Trying again every few seconds."
        : "Trying again after a failure: " + trouble;
  }

  private synchronized void source(SourceState newState, String why) {
    if (onBoard && state == newState && reason.equals(why)) {
      return;
    }
    state = newState;
    reason = why;
    board.put(source, newState, why);
    onBoard = true;
    LOG.info("Source state: source={} state={} reason={}", source, newState, why);
  }

  synchronized void failed(LakestreamException e) {
    failure = Optional.of(e);
    LOG.error("Capture gave up: source={} code={}", source, e.code(), e);
    source(SourceState.FAILED, e.getMessage());
  }

  synchronized void table(String name, TableState newState, String why) {
    TableLine line = new TableLine(newState, why, "");
    if (!line.equals(tables.put(name, line))) {
      board.put(source, name, newState, why);
      LOG.info("Table state: table={}/{} state={} reason={}", source, name, newState, why);
    }
  }

  /** A chunk of a table was copied. */
  synchronized void copied(String name, long rows, long estimatedRows) {
    copies.put(name, new CaptureStatus.Copied(rows, estimatedRows));
    progressNanos = System.nanoTime();
  }

  /** A session begins. */
  synchronized void sessionOpened() {
    sessions++;
  }

  /** A session failed, or could not begin. */
  synchronized void sessionFailed() {
    failures++;
    uncutRows = 0;
  }

  /** Changes were taken from the stream. */
  synchronized void received(int rows) {
    uncutRows += rows;
  }

  /** The newest cut's position; empty before the first of this engine. */
  synchronized Optional<SourcePosition> position() {
    return position;
  }

  /** The source's log goes so far beyond the newest cut. */
  synchronized void lagBytes(long bytes) {
    lagBytes = OptionalLong.of(bytes);
  }

  /** How far the copy of a table is. */
  synchronized void copying(String name, String how) {
    TableLine before = tables.get(name);
    boolean copied =
        before != null
            && (before.state() == TableState.SNAPSHOT || before.state() == TableState.REBUILDING);
    if (copied) {
      TableLine line = new TableLine(before.state(), before.why(), how);
      tables.put(name, line);
      board.put(source, name, line.state(), line.reason());
    }
  }

  synchronized boolean knows(String name) {
    return tables.containsKey(name);
  }

  /** Takes lines off the board that an earlier run left and that are not known now. */
  synchronized void removeOthers() {
    for (StateBoard.Entry entry : board.list()) {
      if (entry.source().equals(source)
          && !entry.table().isEmpty()
          && !tables.containsKey(entry.table())) {
        board.remove(source, entry.table());
      }
    }
  }

  @Override
  public synchronized void copied(String table) {
    table(table, TableState.LIVE, "");
  }

  // Comes right behind the first cut of a session.
  @Override
  public synchronized void streaming() {
    trouble = "";
    source(SourceState.STREAMING);
  }

  /** Changes of the source are lost. */
  synchronized void stale(String why) {
    trouble = why;
    source(SourceState.STALE);
  }

  synchronized void stopped() {
    source(SourceState.STOPPED, "");
  }

  @Override
  public synchronized void cutWritten(Cut cut) {
    position = Optional.of(cut.position());
    sourceTime = cut.sourceTime();
    cuts++;
    progressNanos = System.nanoTime();
    uncutRows = 0;
  }

  @Override
  public void flushed(long nanos) {
    flushes.accept(nanos);
  }

  @Override
  public void paused(String table, String why) {
    table(table, TableState.PAUSED, why);
  }

  /** How many cuts were written: progress, for the supervisor. */
  synchronized long cuts() {
    return cuts;
  }

  synchronized Optional<LakestreamException> failure() {
    return failure;
  }

  synchronized CaptureStatus status(
      Map<String, TableChanges> changes, Map<String, Long> quarantined) {
    OptionalLong lag =
        sourceTime == null
            ? OptionalLong.empty()
            : OptionalLong.of(Math.max(0, System.currentTimeMillis() - sourceTime.toEpochMilli()));
    List<CaptureStatus.Table> lines =
        tables.entrySet().stream()
            .map(
                entry ->
                    new CaptureStatus.Table(
                        entry.getKey(),
                        entry.getValue().state(),
                        entry.getValue().reason(),
                        changes.getOrDefault(entry.getKey(), TableChanges.NONE),
                        quarantined.getOrDefault(entry.getKey(), 0L),
                        Optional.ofNullable(copies.get(entry.getKey()))))
            .toList();
    long idleMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - progressNanos);
    return new CaptureStatus(
        source,
        state,
        reason,
        position,
        new CaptureStatus.Lag(lag, lagBytes, uncutRows),
        new CaptureStatus.Run(sessions, failures, cuts, idleMs),
        lines,
        failure);
  }

  @Override
  public synchronized void close() {
    board.close();
  }
}
