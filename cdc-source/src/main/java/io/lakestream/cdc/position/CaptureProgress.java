package io.lakestream.cdc.position;

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
import java.util.stream.Collectors;

/**
 * What capture of one source must find again after a restart: whether the initial copy is complete,
 * its tables, and Debezium's offsets. All of it is in Fluss. Safe for many threads.
 */
public final class CaptureProgress implements AutoCloseable {
  private static final String COPY = "copy";
  private static final String COMPLETE = "complete";
  private static final String TABLES = "tables";
  private static final String OFFSETS = "offsets";
  private static final String HOLES = "holes";

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

  /** True where the initial copy is whole and the stream can go on from {@link #offsets}. */
  public synchronized boolean isCopyComplete() {
    // The offsets are stored after the mark, once a second: without them nobody knows where to go
    // on, and copying again is always right.
    return store.find(source, COPY).filter(COMPLETE::equals).isPresent()
        && store.find(source, OFFSETS).isPresent();
  }

  public synchronized void completeCopy() {
    put(COPY, COMPLETE);
  }

  /** Forgets all, before a new initial copy. */
  public synchronized void startOver() {
    // In this order a crash in between leaves an incomplete copy, never offsets without one.
    store.remove(source, COPY);
    store.remove(source, OFFSETS);
    store.remove(source, TABLES);
    store.remove(source, HOLES);
  }

  /** Debezium's offsets as JSON text; empty before the first acknowledgement. */
  public synchronized Optional<String> offsets() {
    return store.find(source, OFFSETS).map(kept -> kept.substring(kept.indexOf('\n') + 1));
  }

  /** The tables of the initial copy. */
  public synchronized List<CapturedTable> tables() {
    List<CapturedTable> tables = new ArrayList<>();
    store
        .find(source, TABLES)
        .ifPresent(
            text -> {
              for (String line : text.split("\n", -1)) {
                String[] parts = line.split("\t", -1);
                tables.add(
                    new CapturedTable(
                        unescape(parts[0]),
                        unescape(parts[1]),
                        unescape(parts[2]),
                        unescape(parts[3])));
              }
            });
    return tables;
  }

  public synchronized void putTables(List<CapturedTable> tables) {
    List<String> lines = new ArrayList<>();
    for (CapturedTable table : tables) {
      lines.add(
          String.join(
              "\t",
              escape(table.schema()),
              escape(table.table()),
              escape(table.fingerprint()),
              escape(table.pauseReason())));
    }
    put(TABLES, String.join("\n", lines));
  }

  /** Marks one table as paused, for good. */
  public synchronized void pause(String display, String reason) {
    putTables(
        tables().stream()
            .map(table -> table.display().equals(display) ? table.paused(reason) : table)
            .toList());
  }

  /**
   * {@code <schema>.<table>} of the tables whose view may lack rows, because a version of theirs is
   * in quarantine.
   */
  public synchronized Set<String> holes() {
    Set<String> holes = new TreeSet<>();
    store
        .find(source, HOLES)
        .ifPresent(
            text -> {
              for (String line : text.split("\n", -1)) {
                holes.add(unescape(line));
              }
            });
    return holes;
  }

  public synchronized void addHoles(String display) {
    Set<String> holes = holes();
    if (holes.add(display)) {
      put(HOLES, holes.stream().map(CaptureProgress::escape).collect(Collectors.joining("\n")));
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

  private static String escape(String text) {
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n");
  }

  private static String unescape(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\') {
        i++;
        c =
            switch (text.charAt(i)) {
              case 't' -> '\t';
              case 'n' -> '\n';
              default -> '\\';
            };
      }
      plain.append(c);
    }
    return plain.toString();
  }

  @Override
  public synchronized void close() {
    store.close();
  }
}
