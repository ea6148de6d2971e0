package io.lakestream.cdc.write;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.fluss.metadata.TableBucket;

/**
 * Writes the cuts of a session, and decides which tables each names: those that are whole. For one
 * thread.
 */
final class CutWriter {
  private final BatchWriter.Stores stores;
  private final CaptureTables tables;
  private final Set<TableCapture> left = new HashSet<>();
  private Map<TableBucket, Long> moved = new HashMap<>();
  private boolean replaying;
  private boolean streaming;
  private SourcePosition barrier;

  /**
   * Prepares to write.
   *
   * @param barrier where present, no cut is written before an end of a transaction at or behind it
   */
  CutWriter(BatchWriter.Stores stores, Optional<SourcePosition> barrier) {
    this.stores = stores;
    this.tables = stores.tables();
    this.replaying = barrier.isPresent();
    this.barrier = barrier.orElse(null);
  }

  /** True while changes may be applied a second time. */
  boolean isReplaying() {
    return replaying;
  }

  /** Forbids cuts before an end of a transaction at or behind {@code position}. */
  void barrier(SourcePosition position) {
    if (barrier == null || position.covers(barrier)) {
      barrier = position;
    }
  }

  /** Takes end offsets that durable writes have reached. */
  void moved(Map<TableBucket, Long> endOffsets) {
    moved.putAll(endOffsets);
  }

  /** Another Fluss table took a table's place. */
  void replaced(long oldTableId, TableCapture capture) {
    moved.keySet().removeIf(bucket -> bucket.getTableId() == oldTableId);
    if (!capture.isCopying()) {
      moved.putAll(tables.endOffsets(capture));
    }
  }

  /** A transaction has ended, and everything up to its end is durable. */
  void finish(SourcePosition position, Instant time) {
    if (barrier != null && !position.covers(barrier)) {
      return;
    }
    replaying = false;
    List<TableCapture> becameWhole = new ArrayList<>();
    for (TableCapture capture : tables.copying()) {
      if (capture.endCopy(position)) {
        becameWhole.add(capture);
      }
    }
    List<TableCapture> whole = tables.whole();
    // The session before may have acknowledged changes that no cut named yet, so the first cut
    // names every bucket. All writes are durable here, and nobody else writes.
    List<TableCapture> named = streaming ? becameWhole : whole;
    named.forEach(capture -> moved.putAll(tables.endOffsets(capture)));
    becameWhole.forEach(tables::copied);
    keepLastCuts();
    Set<Long> ids =
        whole.stream().map(capture -> capture.live().tableId()).collect(Collectors.toSet());
    moved.keySet().removeIf(bucket -> !ids.contains(bucket.getTableId()));
    Cut cut = stores.cuts().append(position, time, moved, ids);
    moved = new HashMap<>();
    barrier = null;
    // Behind the cut: whoever finds the new table has a cut that names it, and whoever finds the
    // old one has its last cut. A crash before this leaves it to the first cut of the next session.
    whole.stream()
        .filter(capture -> capture.live().generation().isBehind())
        .forEach(tables::goLive);
    whole.forEach(capture -> capture.reached(position));
    becameWhole.forEach(capture -> stores.listener().copied(capture.table().display()));
    if (!streaming) {
      streaming = true;
      stores.listener().streaming();
    }
    stores.listener().cutWritten(cut);
  }

  // Before the cut that leaves a table out: from then on only the note tells what it is whole at.
  private void keepLastCuts() {
    for (TableCapture capture : tables.paused()) {
      if (left.add(capture) && capture.live().lastCut().isEmpty()) {
        stores
            .cuts()
            .latest()
            .filter(cut -> cut.covers(capture.live().tableId()))
            .ifPresent(cut -> tables.keepLastCut(capture, cut));
      }
    }
  }
}
