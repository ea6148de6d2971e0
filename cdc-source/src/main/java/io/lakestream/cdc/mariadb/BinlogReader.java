package io.lakestream.cdc.mariadb;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventHeaderV4;
import com.github.shyiko.mysql.binlog.event.RotateEventData;
import io.lakestream.cdc.mariadb.Statement.Effect;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns the binlog's events into records: changes of captured tables, and ends of transactions. On
 * the client's thread.
 *
 * <p>Any place between two transactions is as good an end as a commit: what lies before it is
 * whole. So such records also come where the log moves on without changes of ours, and with each of
 * the server's heartbeats while it is idle. Nothing has to be written into the source for that.
 */
final class BinlogReader implements BinaryLogClient.EventListener {
  private static final Logger LOG = LoggerFactory.getLogger(BinlogReader.class);
  // Ends of transactions that changed nothing of ours are told at most so often.
  private static final long FOREIGN_END_NANOS = Duration.ofMillis(50).toNanos();
  private static final int FLAG_STANDALONE = 1;
  private static final int FLAG_PREPARED_XA = 64;
  private static final int FORMAT_2_EXTRA = 2;

  private final String source;
  private final Charsets charsets;
  private final RecordQueue queue;
  private final StreamRecords records;
  private final LongSupplier sourceClockMs;
  private final Map<String, Map<String, CapturedColumns>> captured = new HashMap<>();
  private final Map<String, StreamTable> tables = new HashMap<>();
  private final Map<Long, StreamTable> tablesById = new HashMap<>();
  private BinlogPlace place;
  private boolean inTransaction;
  private boolean preparesXa;
  private boolean touchedOurs;
  private long lastEndNanos = System.nanoTime() - FOREIGN_END_NANOS;
  private long lastTimeMs;
  private boolean failed;

  /**
   * Starts at a place between two transactions.
   *
   * @param sourceClockMs the source's clock, for ends that have no time of their own
   */
  BinlogReader(
      StreamPlan plan,
      Charsets charsets,
      RecordQueue queue,
      BinlogPlace start,
      LongSupplier sourceClockMs) {
    this.source = plan.config().name();
    this.charsets = charsets;
    this.queue = queue;
    this.records = new StreamRecords(source);
    this.sourceClockMs = sourceClockMs;
    this.place = start;
    plan.tables()
        .forEach(
            table ->
                captured
                    .computeIfAbsent(table.schema(), schema -> new HashMap<>())
                    .put(table.table(), table));
  }

  /** Tells the place itself: from here on everything comes. */
  void begin() throws InterruptedException {
    end(sourceClockMs.getAsLong());
  }

  @Override
  public void onEvent(Event event) {
    if (failed) {
      return;
    }
    try {
      handle(event.getHeader(), event);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(e);
    } catch (RuntimeException e) {
      // The client would log it and go on with the next event.
      fail(e);
    }
  }

  private void fail(Exception e) {
    failed = true;
    queue.fail(e);
  }

  private void handle(EventHeaderV4 header, Event event) throws InterruptedException {
    if (event.getData() instanceof RotateEventData rotate) {
      place = place.rotate(rotate.getBinlogFilename(), rotate.getBinlogPosition());
      // Table numbers start anew with the server; each file describes its tables again.
      tablesById.clear();
      return;
    }
    BinlogEvents.Raw raw = event.getData();
    if (raw.code() == BinlogEvents.HEARTBEAT) {
      if (!inTransaction) {
        end(sourceClockMs.getAsLong());
      }
      return;
    }
    place = place.moveTo(header.getNextPosition());
    lastTimeMs = Math.max(lastTimeMs, header.getTimestamp());
    ByteCursor body = new ByteCursor(raw.body());
    switch (raw.code()) {
      case BinlogEvents.GTID -> beginGroup(body, header.getServerId());
      case BinlogEvents.QUERY -> query(raw.body());
      case BinlogEvents.XID -> commit();
      case BinlogEvents.XA_PREPARE -> commit();
      case BinlogEvents.TABLE_MAP -> describe(TableMap.parse(raw.body()));
      case BinlogEvents.WRITE_ROWS, BinlogEvents.UPDATE_ROWS, BinlogEvents.DELETE_ROWS ->
          rows(raw.code(), false, body);
      case BinlogEvents.WRITE_ROWS_2, BinlogEvents.UPDATE_ROWS_2, BinlogEvents.DELETE_ROWS_2 ->
          rows(raw.code() - BinlogEvents.WRITE_ROWS_2 + BinlogEvents.WRITE_ROWS, true, body);
      case BinlogEvents.FORMAT_DESCRIPTION,
          BinlogEvents.STOP,
          BinlogEvents.INTVAR,
          BinlogEvents.RAND,
          BinlogEvents.USER_VAR,
          BinlogEvents.BEGIN_LOAD_QUERY,
          BinlogEvents.ANNOTATE_ROWS,
          BinlogEvents.BINLOG_CHECKPOINT,
          BinlogEvents.GTID_LIST,
          BinlogEvents.START_ENCRYPTION -> {
        // They carry no rows. What follows a statement's variables is the statement.
      }
      case BinlogEvents.EXECUTE_LOAD_QUERY -> unlogged(Statement.of("", "LOAD DATA"), "");
      case BinlogEvents.INCIDENT ->
          throw lost("the server reports an incident: changes may be missing");
      default -> throw lost("its binlog has an event of unknown kind " + raw.code());
    }
  }

  private LakestreamException lost(String what) {
    return new LakestreamException(
        ErrorCode.SOURCE_CHANGES_LOST,
        "Cannot go on with source %s at %s: %s. Take a new copy of its tables: lakestream cdc resync --source %s --all",
        source,
        place.position(),
        what,
        source);
  }

  private void beginGroup(ByteCursor body, long serverId) {
    long sequence = body.little(8);
    long domain = body.little(4);
    int flags = body.unsignedByte();
    place = place.withGtid(domain + "-" + serverId + "-" + sequence);
    inTransaction = (flags & FLAG_STANDALONE) == 0;
    preparesXa = (flags & FLAG_PREPARED_XA) != 0;
    touchedOurs = false;
  }

  private void commit() throws InterruptedException {
    inTransaction = false;
    preparesXa = false;
    if (touchedOurs || System.nanoTime() - lastEndNanos > FOREIGN_END_NANOS) {
      end(lastTimeMs);
    }
  }

  private void end(long timeMs) throws InterruptedException {
    lastTimeMs = Math.max(lastTimeMs, timeMs);
    lastEndNanos = System.nanoTime();
    touchedOurs = false;
    queue.put(List.of(records.end(place, lastTimeMs)), 0);
  }

  private void query(byte[] body) throws InterruptedException {
    ByteCursor in = new ByteCursor(body);
    in.skip(8);
    int databaseLength = in.unsignedByte();
    in.skip(2);
    in.skip((int) in.little(2));
    String database = in.utf8(databaseLength);
    in.skip(1);
    String sql = in.utf8(body.length - in.position()).strip();
    switch (sql) {
      case "BEGIN" -> inTransaction = true;
      case "COMMIT" -> commit();
      case "ROLLBACK" -> rollback();
      default -> {
        if (sql.regionMatches(true, 0, "ROLLBACK TO", 0, "ROLLBACK TO".length())) {
          rollback();
        }
        if (sql.startsWith("XA COMMIT") || sql.startsWith("XA ROLLBACK")) {
          commit();
        }
        boolean standalone = !inTransaction;
        statement(Statement.of(database, sql), database);
        if (standalone) {
          commit();
        }
      }
    }
  }

  // Rolled-back rows are not in the log, but for transactions that also changed tables of engines
  // without transactions. Then the rows are here, and have been handed on.
  private void rollback() throws InterruptedException {
    if (touchedOurs) {
      throw lost("a transaction over tables of several engines was rolled back");
    }
    commit();
  }

  private void statement(Statement statement, String database) throws InterruptedException {
    Effect effect = statement.effect();
    String dropped = statement.droppedDatabase();
    if (!dropped.isEmpty()) {
      for (CapturedColumns table : captured.getOrDefault(dropped, Map.of()).values()) {
        replaced(table, "it was dropped in the source");
      }
    }
    if (effect == Effect.CHANGE_ROWS) {
      unlogged(statement, database);
      return;
    }
    for (CapturedColumns table : named(statement)) {
      // The next description of this table counts as a new one, whatever it says.
      tables.remove(table.display());
      switch (effect) {
        case TRUNCATE -> emit(records.truncate(table, place), 0);
        case REPLACE -> replaced(table, "it was dropped, renamed or made anew in the source");
        case MOVE_PARTITIONS -> replaced(table, "a partition was dropped, emptied or exchanged");
        case CASCADE -> problem(table, "a foreign key with CASCADE or SET NULL was added");
        default -> {
          // What changed of its columns comes with the next rows.
        }
      }
    }
  }

  private void unlogged(Statement statement, String database) throws InterruptedException {
    List<CapturedColumns> hit = named(statement);
    if (hit.isEmpty() && !statement.isEmptyingOfMemoryTable()) {
      // Through a view, a trigger or a routine it may have changed any of them.
      hit = new ArrayList<>(captured.getOrDefault(database, Map.of()).values());
    }
    LOG.warn(
        "The binlog has a statement instead of rows: source={} position={} tables={}",
        source,
        place.position(),
        hit.size());
    for (CapturedColumns table : hit) {
      problem(table, "a session changed rows with binlog_format STATEMENT");
    }
  }

  private List<CapturedColumns> named(Statement statement) {
    List<CapturedColumns> named = new ArrayList<>();
    captured.forEach(
        (schema, byName) ->
            byName.forEach(
                (name, table) -> {
                  if (statement.names(schema, name)) {
                    named.add(table);
                  }
                }));
    return named;
  }

  private void problem(CapturedColumns table, String reason) throws InterruptedException {
    emit(records.problem(StreamTable.problem(table, reason), place), 0);
  }

  private void replaced(CapturedColumns table, String reason) throws InterruptedException {
    emit(records.problem(StreamTable.replaced(table, reason), place), 0);
  }

  private void emit(SourceRecord change, long bytes) throws InterruptedException {
    touchedOurs = true;
    queue.put(List.of(change), bytes);
  }

  private void describe(TableMap map) {
    Optional<CapturedColumns> ours =
        Optional.ofNullable(captured.getOrDefault(map.schema, Map.of()).get(map.table));
    if (ours.isEmpty()) {
      tablesById.remove(map.tableId);
      return;
    }
    StreamTable table = tables.get(ours.get().display());
    if (table == null || !table.isFor(map)) {
      table = StreamTable.of(ours.get(), map, charsets);
      tables.put(ours.get().display(), table);
    }
    tablesById.put(map.tableId, table);
  }

  private void rows(int code, boolean secondFormat, ByteCursor in) throws InterruptedException {
    StreamTable table = tablesById.get(in.little(6));
    if (table == null) {
      return;
    }
    in.skip(2);
    if (secondFormat) {
      in.skip((int) in.little(FORMAT_2_EXTRA) - FORMAT_2_EXTRA);
    }
    int columns = in.packed();
    BitSet included = in.bits(columns);
    BitSet includedAfter = code == BinlogEvents.UPDATE_ROWS ? in.bits(columns) : included;
    if (table.hasProblem()) {
      emit(records.problem(table, place), 0);
      return;
    }
    if (included.cardinality() < columns || includedAfter.cardinality() < columns) {
      problem(
          table.captured(),
          "a session wrote changes without all columns (binlog_row_image is not FULL)");
      return;
    }
    if (preparesXa) {
      problem(table.captured(), "an XA transaction changed it");
      return;
    }
    List<SourceRecord> changes = new ArrayList<>();
    while (in.hasMore()) {
      change(code, table, in, changes);
    }
    touchedOurs = true;
    queue.put(changes, in.array().length);
  }

  private void change(int code, StreamTable table, ByteCursor in, List<SourceRecord> changes) {
    switch (code) {
      case BinlogEvents.WRITE_ROWS ->
          changes.add(records.change(table, table.change("c", null, table.readRow(in)), place));
      case BinlogEvents.DELETE_ROWS ->
          changes.add(records.change(table, table.change("d", table.readRow(in), null), place));
      default -> {
        RowStruct before = table.readKey(in);
        RowStruct after = table.readRow(in);
        if (table.isSameKey(before, after)) {
          changes.add(records.change(table, table.change("u", null, after), place));
        } else {
          changes.add(records.moved(table, table.change("d", before, null), place));
          changes.add(records.change(table, table.change("c", null, after), place));
        }
      }
    }
  }
}
