package io.lakestream.tiering.commit;

import io.lakestream.tables.lake.TieredOffsets;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.util.SnapshotUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits rounds by compare-and-swap: files and offsets in one Iceberg commit, which applies only
 * to the very snapshot that the round extends.
 *
 * <p>Safe for many threads as long as each table handle is used by one.
 */
public final class LakeCommitter {
  private static final Logger LOG = LoggerFactory.getLogger(LakeCommitter.class);
  private static final int RESOLVE_ATTEMPTS = 3;
  private static final long RESOLVE_PAUSE_MS = 200;

  /**
   * Commits a round. Never throws for what the catalog or the store does: that is an outcome.
   *
   * @param table handle whose last refresh may be old: the commit itself reads the catalog
   */
  public CommitOutcome commit(Table table, RoundCommit round) {
    RowDelta delta = table.newRowDelta();
    round.dataFiles().forEach(delta::addRows);
    round.vectors().forEach(delta::addDeletes);
    round.replacedVectors().forEach(delta::removeDeletes);
    round.base().ifPresent(delta::validateFromSnapshot);
    // The offsets are part of this very commit: a crash leaves both files and offsets, or neither.
    round.offsets().toSummary().forEach(delta::set);
    delta.validateWith(new HeadGuard(((BaseTable) table).operations(), round));
    try {
      delta.commit();
      return new CommitOutcome.Committed(table.currentSnapshot().snapshotId(), false);
    } catch (ValidationException | CommitFailedException e) {
      return afterRefusal(table, round, e);
    } catch (RuntimeException e) {
      // Not only CommitStateUnknownException: the JDBC catalog throws a plain SQL error where the
      // connection breaks after the swap. Whatever is not a definite refusal may have been applied.
      LOG.warn(
          "Commit has an unknown outcome: table={} roundId={}",
          table.name(),
          round.offsets().roundId(),
          e);
      return resolve(table, round, e);
    }
  }

  /**
   * Finds a round in the table.
   *
   * @param table refreshed by the caller
   * @return the snapshot in the current ancestry that carries the round ID
   */
  public static Optional<Snapshot> find(Table table, String roundId) {
    if (table.currentSnapshot() == null) {
      return Optional.empty();
    }
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
      Optional<TieredOffsets> offsets = TieredOffsets.fromSummary(snapshot.summary());
      if (offsets.isPresent() && offsets.get().roundId().equals(roundId)) {
        return Optional.of(snapshot);
      }
    }
    return Optional.empty();
  }

  private CommitOutcome afterRefusal(Table table, RoundCommit round, RuntimeException refusal) {
    try {
      table.refresh();
    } catch (RuntimeException e) {
      e.addSuppressed(refusal);
      return new CommitOutcome.Unknown(e);
    }
    // A replay comes first: its files are those of the commit before and must stay.
    Optional<Snapshot> same = find(table, round.offsets().roundId());
    if (same.isPresent()) {
      return new CommitOutcome.Committed(same.get().snapshotId(), true);
    }
    // Refused for certain and not in the table: no snapshot can ever name these files.
    deleteFiles(table, round);
    Optional<Snapshot> other = findEqualOffsets(table, round.offsets());
    return other.isPresent()
        ? new CommitOutcome.Superseded(other.get().snapshotId())
        : new CommitOutcome.Refused(String.valueOf(refusal.getMessage()));
  }

  private static Optional<Snapshot> findEqualOffsets(Table table, TieredOffsets wanted) {
    if (table.currentSnapshot() == null) {
      return Optional.empty();
    }
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
      Optional<TieredOffsets> offsets = TieredOffsets.fromSummary(snapshot.summary());
      if (offsets.isPresent()
          && offsets.get().tableId() == wanted.tableId()
          && HeadGuard.nonZero(offsets.get().endOffsets())
              .equals(HeadGuard.nonZero(wanted.endOffsets()))) {
        return Optional.of(snapshot);
      }
    }
    return Optional.empty();
  }

  private CommitOutcome resolve(Table table, RoundCommit round, RuntimeException cause) {
    for (int attempt = 1; attempt <= RESOLVE_ATTEMPTS; attempt++) {
      try {
        table.refresh();
        Optional<Snapshot> found = find(table, round.offsets().roundId());
        if (found.isPresent()) {
          return new CommitOutcome.Committed(found.get().snapshotId(), false);
        }
        // Not there now; a late apply is harmless, since it swaps against the same old metadata as
        // the next round. The files stay: only that late apply could still name them.
        return new CommitOutcome.Unknown(cause);
      } catch (RuntimeException e) {
        cause.addSuppressed(e);
        if (!pause(attempt)) {
          break;
        }
      }
    }
    return new CommitOutcome.Unknown(cause);
  }

  private static boolean pause(int attempt) {
    try {
      Thread.sleep(RESOLVE_PAUSE_MS * attempt);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static void deleteFiles(Table table, RoundCommit round) {
    deleteFiles(table, round.dataFiles(), round.vectors());
  }

  /**
   * Deletes files that no commit was ever tried with, or that were refused for certain. A file that
   * cannot be deleted is logged and left for orphan clean-up.
   */
  public static void deleteFiles(
      Table table,
      Iterable<? extends ContentFile<?>> dataFiles,
      Iterable<? extends ContentFile<?>> vectors) {
    Set<String> locations = new HashSet<>();
    dataFiles.forEach(file -> locations.add(file.location()));
    vectors.forEach(file -> locations.add(file.location()));
    for (String location : locations) {
      try {
        table.io().deleteFile(location);
      } catch (RuntimeException e) {
        LOG.warn("Cannot delete a refused file: table={} file={}", table.name(), location, e);
      }
    }
  }
}
