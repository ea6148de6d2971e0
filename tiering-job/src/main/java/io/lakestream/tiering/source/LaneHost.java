package io.lakestream.tiering.source;

import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.lake.LakeTables;
import io.lakestream.tiering.TieringConfig;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.apache.flink.api.connector.source.SourceEvent;

/** What a {@link TableLane} has of the enumerator around it. */
interface LaneHost {
  TieringConfig config();

  /** Open before any lane exists. */
  FlussTables fluss();

  /** Open before any lane exists. */
  LakeTables lake();

  /**
   * Runs a blocking call in the background and hands its result over in the coordinator's thread.
   */
  <T> void call(Callable<T> call, Consumer<T> succeeded, Consumer<Throwable> failed);

  /** True where every reader is there to take its share. */
  boolean readersAreComplete();

  /** The reader that owns a bucket. */
  int owner(long tableId, int bucket);

  int readerCount();

  /** Sends to a reader; does nothing where it is not there now. */
  void send(int reader, SourceEvent event);

  /** A round ID that was never used. */
  String newRoundId();

  /** True where this very job made the round ID. */
  boolean isOurs(String roundId);

  void countRound(boolean committed);
}
