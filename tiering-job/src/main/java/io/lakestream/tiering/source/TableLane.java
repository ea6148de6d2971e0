package io.lakestream.tiering.source;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.lake.TieredOffsets;
import io.lakestream.tiering.commit.CommitOutcome;
import io.lakestream.tiering.commit.LakeCommitter;
import io.lakestream.tiering.commit.RoundCommit;
import io.lakestream.tiering.source.TieringEvents.RoundAssigned;
import io.lakestream.tiering.source.TieringEvents.RoundEnded;
import io.lakestream.tiering.source.TieringEvents.ShareFailed;
import io.lakestream.tiering.source.TieringEvents.ShareWritten;
import io.lakestream.tiering.source.TieringEvents.TableGone;
import io.lakestream.tiering.write.RoundFiles;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tiers one table: one round at a time, from the lake's head to the newest cut.
 *
 * <p>Lives in the coordinator's thread and never blocks it. Its trouble is its own: a failure is
 * logged and tried again with growing pauses, and no other lane waits for it.
 */
final class TableLane {
  private static final Logger LOG = LoggerFactory.getLogger(TableLane.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(60);
  private static final int POLLS_PER_INTERVAL = 5;

  private final LaneHost host;
  private final LiveTable table;
  private final LakeCommitter committer = new LakeCommitter();
  private final Map<Integer, String> versions = new HashMap<>();
  private final Duration pollPause;

  // The one thing under way: a background call, or a round that readers write.
  private boolean busy;
  private Round round;
  private boolean closed;

  private LaneHead head; // null until opened, and again where it must be read anew
  private Optional<String> knownRound = Optional.empty(); // whose offsets the head had last
  private boolean wasOpened;
  private long epoch;
  private Standby standby; // null while this job is the one that tiers the table
  private boolean takeOver;

  private int failures;
  private long notBefore = System.nanoTime();
  private long lastStart = notBefore - Duration.ofDays(1).toNanos();
  private long nextPlainCheck = notBefore;
  private final long openedAt = System.nanoTime();

  TableLane(LaneHost host, LiveTable table) {
    this.host = host;
    this.table = table;
    this.pollPause = host.config().commitInterval().dividedBy(POLLS_PER_INTERVAL);
  }

  LiveTable table() {
    return table;
  }

  /** Starts what is to be done without a cut: opens the table, or looks whether to take over. */
  void tick(long now) {
    if (busy || round != null || now - notBefore < 0) {
      return;
    }
    if (head == null) {
      open();
    } else if (standby != null) {
      lookAtOtherJob();
    }
  }

  /** True where a round may start now if there is something to tier. */
  boolean isDue(long now) {
    return !busy
        && round == null
        && head != null
        && standby == null
        && now - notBefore >= 0
        && now - lastStart >= host.config().commitInterval().toNanos();
  }

  private void open() {
    busy = true;
    host.call(
        () -> LaneHead.open(host.fluss(), host.lake(), table),
        this::opened,
        error -> fail(error, "open the lake table"));
  }

  private void opened(LaneHead found) {
    busy = false;
    if (closed) {
      return;
    }
    head = found;
    versions.clear();
    Optional<String> foundRound = found.offsets().map(TieredOffsets::roundId);
    boolean othersRound =
        !foundRound.equals(knownRound) && foundRound.filter(id -> !host.isOurs(id)).isPresent();
    knownRound = foundRound;
    if (othersRound && wasOpened && !takeOver) {
      // Another job committed since this one opened the table: one of both has to rest, or each
      // would spoil the other's rounds for ever.
      standby = new Standby(found.snapshotId(), System.nanoTime());
      LOG.info(
          "Standing by for another job: table={} epoch={} otherEpoch={}",
          table.definition().name(),
          epoch,
          found.epoch());
    } else {
      // A job that starts is the newest one: whoever is older finds its rounds refused.
      epoch = wasOpened && !takeOver ? Math.max(epoch, found.epoch()) : found.epoch() + 1;
      LOG.info(
          "Tiering table: table={} tableId={} snapshotId={} offsets={} epoch={}",
          table.definition().name(),
          table.tableId(),
          found.snapshotId(),
          found.endOffsets(),
          epoch);
    }
    wasOpened = true;
    takeOver = false;
  }

  private void lookAtOtherJob() {
    busy = true;
    LaneHead known = head;
    host.call(
        () -> {
          known.table().refresh();
          LaneHead now = LaneHead.of(known.table());
          Map<Integer, Long> ends =
              host.fluss().endOffsets(table.path(), table.definition().buckets());
          return standby.look(now, ends, System.nanoTime(), host.config().takeover());
        },
        rested -> {
          busy = false;
          pause(pollPause);
          if (rested) {
            LOG.info("Taking over from another job: table={}", table.definition().name());
            standby = null;
            takeOver = true;
            head = null;
          }
        },
        error -> fail(error, "look at the lake table"));
  }

  /**
   * Starts a round if there is something to tier. Called when due, with the source's newest cut.
   */
  void plan(CutWatch.Sight cuts) {
    if (!host.readersAreComplete()) {
      pause(pollPause);
      return;
    }
    RoundPlan plan =
        cut(cuts)
            .map(
                cut ->
                    RoundPlan.toCut(
                        head.endOffsets(), cut, table.tableId(), table.definition().buckets()))
            .orElse(RoundPlan.toOffsets(head.endOffsets(), Map.of()));
    long now = System.nanoTime();
    if (plan.kind() == RoundPlan.Kind.MOVED) {
      start(plan);
    } else if (noCutFor(cuts).compareTo(host.config().freshnessObjective()) > 0
        && now - nextPlainCheck >= 0) {
      planPlainOffsets();
    } else {
      // Nothing new, or, after a round at plain offsets, a cut that the lake is ahead of: wait for
      // the next one.
      pause(pollPause);
    }
  }

  // What a table holds behind its last cut is part of a transaction, and never goes into the lake.
  private Optional<Cut> cut(CutWatch.Sight cuts) {
    return table.lastCut().isPresent()
        ? table.lastCut()
        : cuts.newest().filter(cut -> cut.covers(table.tableId()));
  }

  // A table that is still copied has no place in any cut, however young that is.
  private Duration noCutFor(CutWatch.Sight cuts) {
    if (table.lastCut().isPresent()) {
      return Duration.ZERO;
    }
    return cut(cuts).isPresent() || cuts.newest().isEmpty()
        ? cuts.age()
        : Duration.ofNanos(System.nanoTime() - openedAt);
  }

  private void planPlainOffsets() {
    busy = true;
    host.call(
        () -> host.fluss().endOffsets(table.path(), table.definition().buckets()),
        ends -> {
          busy = false;
          if (closed) {
            return;
          }
          RoundPlan plan = RoundPlan.toOffsets(head.endOffsets(), ends);
          if (plan.kind() == RoundPlan.Kind.BEHIND) {
            head = null; // opening it anew says what is wrong
            return;
          }
          boolean moved = plan.kind() == RoundPlan.Kind.MOVED;
          nextPlainCheck =
              System.nanoTime() + (moved ? 0 : host.config().freshnessObjective().toNanos());
          if (moved) {
            start(plan);
          }
        },
        error -> fail(error, "read end offsets"));
  }

  private void start(RoundPlan plan) {
    if (!host.readersAreComplete()) {
      pause(pollPause);
      return;
    }
    round =
        Round.of(
            host.newRoundId(),
            table,
            head,
            versions,
            plan,
            bucket -> host.owner(table.tableId(), bucket));
    lastStart = round.startedNanos();
    round.shares().forEach((reader, work) -> host.send(reader, new RoundAssigned(work)));
  }

  /** Takes a reader's share; commits once it was the last. */
  void written(int reader, ShareWritten share) {
    if (round == null || !round.id().equals(share.roundId()) || !round.awaits(reader)) {
      discard(share.files());
      return;
    }
    if (round.add(reader, share.files())) {
      commit();
    }
  }

  // Files of a round that was given up before any commit was tried with them.
  private void discard(RoundFiles files) {
    if (head == null) {
      return; // left for orphan clean-up
    }
    LaneHead known = head;
    host.call(
        () -> {
          LakeCommitter.deleteFiles(known.table(), files.dataFiles(), files.vectors());
          return true;
        },
        deleted -> LOG.debug("Deleted files of a round given up: table={}", table.path()),
        error -> LOG.warn("Cannot delete files: table={}", table.definition().name(), error));
  }

  void failed(int reader, ShareFailed share) {
    if (round == null || !round.id().equals(share.roundId()) || !round.awaits(reader)) {
      return;
    }
    giveUp(share.message());
    fail(new LakestreamException(share.code(), "%s", share.message()), "write a round");
  }

  /** A reader has gone, and with it its share. */
  void readerLost(int reader) {
    if (!busy && round != null && round.awaits(reader)) {
      giveUp("a reader was lost");
      LOG.info("Gave a round up, its reader was lost: table={}", table.definition().name());
    }
  }

  private void giveUp(String why) {
    Round ended = round;
    round = null;
    discard(ended.files());
    report(ended, "given up: " + why);
  }

  private void commit() {
    busy = true;
    RoundCommit commit = round.toCommit(table.tableId(), epoch);
    LaneHead base = round.base();
    host.call(
        () -> {
          // The readers have read all of the round by now: had the table got columns before that,
          // some rows might lack their values.
          if (!host.fluss().generations().hasSameColumns(table)) {
            LakeCommitter.deleteFiles(base.table(), commit.dataFiles(), commit.vectors());
            return new Committed(
                new CommitOutcome.Refused("the table's columns changed, or it is gone"), base);
          }
          return new Committed(committer.commit(base.table(), commit), LaneHead.of(base.table()));
        },
        done -> {
          busy = false;
          Round ended = round;
          round = null;
          if (!closed) {
            committed(ended, done);
          }
        },
        error -> {
          round = null;
          head = null;
          fail(error, "commit a round");
        });
  }

  private record Committed(CommitOutcome outcome, LaneHead head) {}

  private void committed(Round ended, Committed done) {
    if (done.outcome() instanceof CommitOutcome.Committed success) {
      host.countRound(true);
      failures = 0;
      // The owners' indexes stand for the round from now on.
      ended.plan().ranges().keySet().forEach(bucket -> versions.put(bucket, ended.id()));
      knownRound = Optional.of(ended.id());
      boolean isHead = done.head().snapshotId().equals(OptionalLong.of(success.snapshotId()));
      head = isHead ? done.head() : null;
      LOG.info(
          "Committed round: table={} roundId={} snapshotId={} offsets={} cut={} changes={} ms={}",
          table.definition().name(),
          ended.id(),
          success.snapshotId(),
          done.head().endOffsets(),
          ended.plan().reached().map(TieredOffsets.ReachedCut::sequence).orElse(-1L),
          ended.files().changes(),
          Duration.ofNanos(System.nanoTime() - ended.startedNanos()).toMillis());
      report(ended, "committed: snapshotId=" + success.snapshotId());
    } else if (done.outcome() instanceof CommitOutcome.Unknown unknown) {
      report(ended, "outcome unknown");
      head = null; // reading the table anew tells
      fail(unknown.cause(), "learn how a commit ended");
    } else {
      host.countRound(false);
      String why =
          done.outcome() instanceof CommitOutcome.Refused refused
              ? refused.reason()
              : "another job has tiered these offsets";
      LOG.info(
          "Refused round: table={} roundId={} reason={}",
          table.definition().name(),
          ended.id(),
          why);
      report(ended, "refused: " + why);
      head = null;
    }
  }

  private void report(Round ended, String outcome) {
    String line =
        String.format(
            "table=%s round=%s changes=%d %s",
            table.definition().name(), ended.id(), ended.files().changes(), outcome);
    for (int reader : ended.shares().keySet()) {
      host.send(reader, new RoundEnded(table.tableId(), ended.id(), line));
      line = "";
    }
  }

  private void fail(Throwable error, String what) {
    busy = false;
    if (closed) {
      return;
    }
    failures++;
    long pauseMs =
        Math.min(LONGEST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << Math.min(failures - 1, 10));
    pause(Duration.ofMillis(pauseMs));
    boolean truncated =
        error instanceof LakestreamException known && known.code() == ErrorCode.LOG_TRUNCATED;
    if (truncated) {
      LOG.error(
          "Tiering of a table stopped, its log is cut: table={} {}",
          table.definition().name(),
          error.getMessage());
    } else {
      LOG.warn(
          "Cannot {}: table={} failures={} nextTryMs={}",
          what,
          table.definition().name(),
          failures,
          pauseMs,
          error);
    }
  }

  private void pause(Duration pause) {
    notBefore = System.nanoTime() + pause.toNanos();
  }

  /** Ends the lane: the table is gone from Fluss, or is another one or of another shape. */
  void close() {
    closed = true;
    if (round != null && !busy) {
      giveUp("the table is gone or changed");
    }
    List<Integer> readers = IntStream.range(0, host.readerCount()).boxed().toList();
    readers.forEach(reader -> host.send(reader, new TableGone(table.tableId())));
    LOG.info(
        "No longer tiers a table, it is gone from Fluss or changed: table={} tableId={}",
        table.definition().name(),
        table.tableId());
  }
}
