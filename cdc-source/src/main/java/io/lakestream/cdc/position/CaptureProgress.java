package io.lakestream.cdc.position;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.system.ProgressStore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * What capture of one source must find again after a restart: its tables and how far each is
 * copied, Debezium's offsets, and what users asked for meanwhile. All of it is in Fluss. Safe for
 * many threads.
 */
public final class CaptureProgress implements AutoCloseable {
  private static final String TABLES = "captured";
  private static final String TABLE = "table ";
  private static final String OFFSETS = "offsets";
  private static final String PLACE = "place";
  private static final String HOLES = "holes";
  private static final String RESYNC = "resync ";
  private static final String REQUESTED = "requested";
  private static final String ALL = "*";

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String source;
  private final ProgressStore store;
  private boolean frozen;

  private CaptureProgress(String source, ProgressStore store) {
    this.source = source;
    this.store = store;
  }

  public static CaptureProgress open(FlussTables tables, String source) {
    return new CaptureProgress(source, ProgressStore.open(tables));
  }

  /** Name of the source. */
  public String source() {
    return source;
  }

  /** True where capture has its place in the source's log and may go on from there. */
  public synchronized boolean isStarted() {
    return store.find(source, TABLES).isPresent();
  }

  /** Forgets all, before everything is copied anew. */
  public synchronized void startOver() {
    store.remove(source, TABLES);
    store.remove(source, OFFSETS);
    store.remove(source, PLACE);
    store.remove(source, HOLES);
  }

  /** Debezium's offsets as JSON text; empty before the first acknowledgement. */
  public synchronized Optional<String> offsets() {
    return store.find(source, OFFSETS).map(kept -> kept.substring(kept.indexOf('\n') + 1));
  }

  /**
   * Where capture begins to read, in the form of {@link #offsets}, before the first
   * acknowledgement; empty where the source itself keeps that.
   */
  public synchronized Optional<String> place() {
    return store.find(source, PLACE);
  }

  public synchronized void putPlace(String offsets) {
    put(PLACE, offsets);
  }

  /** The tables, in the order in which they were first put. */
  public synchronized List<CapturedTable> tables() {
    List<CapturedTable> tables = new ArrayList<>();
    for (String display : names()) {
      table(display).ifPresent(tables::add);
    }
    return tables;
  }

  /** {@code <schema>.<table>} of all tables, in the order in which they were first put. */
  public synchronized List<String> names() {
    return store
        .find(source, TABLES)
        .map(json -> read(json, new TypeReference<List<String>>() {}))
        .orElse(List.of());
  }

  /** One table; empty where it was never captured. */
  public synchronized Optional<CapturedTable> table(String display) {
    return store
        .find(source, TABLE + display)
        .map(json -> read(json, new TypeReference<CapturedTable>() {}));
  }

  /** Puts all tables, in place of those that were there. */
  public synchronized void putTables(List<CapturedTable> tables) {
    List<String> before = names();
    tables.forEach(table -> put(TABLE + table.display(), write(table)));
    // The names last: they say that the tables are there. What a crash before this leaves of a
    // table that had none is overwritten when that is captured.
    List<String> names = tables.stream().map(CapturedTable::display).toList();
    if (!names.equals(before) || !isStarted()) {
      put(TABLES, write(names));
    }
  }

  /** Changes what is remembered of one table; durable on return. */
  public synchronized void update(String display, UnaryOperator<CapturedTable> change) {
    table(display).ifPresent(table -> put(TABLE + display, write(change.apply(table))));
  }

  /** Marks one table as paused, for good. */
  public void pause(String display, String reason) {
    update(display, table -> table.paused(reason));
  }

  /**
   * Asks whoever captures the source to copy a table anew.
   *
   * @param display {@code <schema>.<table>}
   */
  public synchronized void requestResync(String display) {
    put(RESYNC + display, REQUESTED);
  }

  /** Asks whoever captures the source to copy all of it anew, from a new place in its log. */
  public void requestResyncOfAll() {
    requestResync(ALL);
  }

  /** True where somebody asked for a new copy of a table. */
  public synchronized boolean isResyncRequested(String display) {
    return store.find(source, RESYNC + display).isPresent();
  }

  /** True where somebody asked for a new copy of the whole source. */
  public boolean isResyncOfAllRequested() {
    return isResyncRequested(ALL);
  }

  /** Takes a request off, once it is carried out as far as a restart would go on with it. */
  public synchronized void resyncBegun(String display) {
    store.remove(source, RESYNC + display);
  }

  /** Takes the request for the whole source off. */
  public void resyncOfAllBegun() {
    resyncBegun(ALL);
  }

  /**
   * {@code <schema>.<table>} of the tables whose view may lack rows, because a version of theirs is
   * in quarantine.
   */
  public synchronized Set<String> holes() {
    return store
        .find(source, HOLES)
        .map(json -> read(json, new TypeReference<Set<String>>() {}))
        .orElse(Set.of());
  }

  public synchronized void addHoles(String display) {
    Set<String> holes = new TreeSet<>(holes());
    if (holes.add(display)) {
      put(HOLES, write(holes));
    }
  }

  synchronized Optional<ByteBuffer> findOffsets(ByteBuffer key) {
    String wanted = text(key);
    return store
        .find(source, OFFSETS)
        .filter(kept -> kept.startsWith(wanted + "\n"))
        .map(kept -> kept.substring(wanted.length() + 1))
        .map(value -> ByteBuffer.wrap(value.getBytes(StandardCharsets.UTF_8)));
  }

  synchronized void putOffsets(ByteBuffer key, ByteBuffer value) {
    put(OFFSETS, text(key) + "\n" + text(value));
  }

  /** Refuses every write from now on: what a process that was killed would do. */
  public synchronized void freeze() {
    frozen = true;
  }

  private void put(String name, String value) {
    if (frozen) {
      throw new LakestreamException(
          ErrorCode.INTERNAL, "Cannot keep progress of source %s: capture was killed", source);
    }
    store.put(source, name, value);
  }

  private static String text(ByteBuffer buffer) {
    return StandardCharsets.UTF_8.decode(buffer.duplicate()).toString();
  }

  private static String write(Object value) {
    try {
      return JSON.writeValueAsString(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private <T> T read(String json, TypeReference<T> type) {
    try {
      return JSON.readValue(json, type);
    } catch (JsonProcessingException e) {
      throw new LakestreamException(
          e,
          ErrorCode.PROTOCOL_VIOLATION,
          "Cannot go on with source %s: its kept progress is no JSON of this version",
          source);
    }
  }

  @Override
  public synchronized void close() {
    store.close();
  }
}
