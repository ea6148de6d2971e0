package io.lakestream.cdc.source;

import io.lakestream.cdc.decode.UnconvertibleValueException;
import io.lakestream.tables.change.SourcePosition;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.apache.fluss.row.GenericRow;

/**
 * One connection to a source: what its tables are, where its log stands. For one thread.
 *
 * <p>Every method throws a {@link io.lakestream.tables.error.LakestreamException}:
 * SOURCE_UNREACHABLE where the connection is lost, otherwise the code that its own comment names.
 */
public interface SourceConnection extends AutoCloseable {
  /** Connects to a source. Throws as {@link Source#connect} does. */
  static SourceConnection open(SourceConfig config) {
    return Sources.of(config).connect();
  }

  /**
   * What capture needs of the server, the account and the settings, met or not, in the order in
   * which one mends them. Changes nothing.
   *
   * @param resumes true where an earlier capture left its place in the source's log
   */
  List<Requirement> requirements(boolean resumes);

  /**
   * Checks that the source can be captured, before anything is created in it or in Fluss.
   *
   * @param resumes true where an earlier capture left its place in the source's log
   * @throws io.lakestream.tables.error.LakestreamException of the first of {@link #requirements}
   *     that is not met: SOURCE_NOT_READY or SOURCE_REFUSED with the SQL that mends it
   */
  default void check(boolean resumes) {
    requirements(resumes).forEach(Requirement::check);
  }

  /**
   * Finds what the configured patterns match.
   *
   * @return tables that can be captured, and those that cannot with the reason of each
   * @throws io.lakestream.tables.error.LakestreamException UNKNOWN_TABLE where the patterns match
   *     nothing
   */
  Discovery discover();

  /**
   * What a first capture of these tables needs beside {@link #requirements}, met or not; nothing
   * where an earlier capture left its place in the source's log. Changes nothing.
   */
  List<Requirement> preparations(Discovery found);

  /**
   * Checks that a first capture of these tables could be prepared, and changes nothing. Does
   * nothing where an earlier capture left its place in the source's log.
   *
   * @throws io.lakestream.tables.error.LakestreamException the code of the first refusal where no
   *     table is left, SOURCE_REFUSED where the role may not publish the tables
   */
  void checkFirstCapture(Discovery found);

  /**
   * Makes the source's log move on.
   *
   * @return the position that a cut must reach to hold every transaction that was committed before
   *     the call; such a cut comes without any further change in the source
   */
  SourcePosition mark();

  /** Where the source's log ends now. */
  SourcePosition currentPosition();

  /** Bytes of the source's log behind {@code position}; 0 where that is not in its log. */
  long bytesSince(SourcePosition position);

  /** What every reading sees that begins after the call. */
  TableCopy.Seen seenNow();

  /**
   * Tells what is missing of the changes since a position.
   *
   * @param acknowledged the last acknowledgement, or else the place that was taken; empty where
   *     neither is known here
   * @return what happened, as the middle of a sentence; empty where every change is still there
   */
  Optional<String> findLoss(Optional<SourcePosition> acknowledged);

  /** True where another process reads the log in our place. */
  boolean isPlaceInUse();

  /** The error where another process reads the log in our place. */
  io.lakestream.tables.error.LakestreamException placeInUse();

  /** Gives up our place in the source's log; does nothing without one. */
  void dropPlace();

  /**
   * Takes a place in the source's log: every transaction from here on will be in the stream.
   *
   * @return the place in the form of Debezium's offsets, to be kept until the first
   *     acknowledgement; empty where the source itself keeps it
   */
  Optional<String> takePlace();

  /** Prepares the source for a stream of exactly these tables. */
  void publish(List<SourceTable> tables);

  /**
   * Reads columns of one row as it is now.
   *
   * @param row has the key; receives the columns
   * @param columns to read: texts, decimals or bytes
   * @return false where the source has no such row
   */
  boolean readRow(SourceTable table, GenericRow row, BitSet columns)
      throws UnconvertibleValueException;

  @Override
  void close();
}
