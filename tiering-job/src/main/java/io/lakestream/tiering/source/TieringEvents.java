package io.lakestream.tiering.source;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tiering.write.RoundFiles;
import io.lakestream.tiering.write.RoundWork;
import org.apache.flink.api.connector.source.SourceEvent;

/** What the enumerator and the readers tell one another. */
final class TieringEvents {
  private TieringEvents() {}

  /** To a reader: its share of a round. */
  record RoundAssigned(RoundWork work) implements SourceEvent {}

  /** To the enumerator: the share is written. */
  record ShareWritten(long tableId, String roundId, RoundFiles files) implements SourceEvent {}

  /** To the enumerator: the share cannot be written; nothing of it stays. */
  record ShareFailed(long tableId, String roundId, ErrorCode code, String message)
      implements SourceEvent {}

  /**
   * To a reader: a round has ended, whatever its outcome; it stops where it is still under way.
   *
   * @param report line for the job's output stream, or empty where another reader emits it
   */
  record RoundEnded(long tableId, String roundId, String report) implements SourceEvent {}

  /** To a reader: a table is gone. */
  record TableGone(long tableId) implements SourceEvent {}
}
