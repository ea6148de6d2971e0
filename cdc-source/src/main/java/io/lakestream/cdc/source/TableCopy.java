package io.lakestream.cdc.source;

import java.util.List;
import java.util.Optional;
import org.apache.fluss.row.GenericRow;

/**
 * Reads the rows of one table beside its stream, in chunks in the order of its key, on a connection
 * of its own. For one thread.
 *
 * <p>Nothing of the source is locked, and chunks are read one after the other while the table
 * changes. A row of a chunk is right as long as no change that the chunk has not {@linkplain Chunk
 * seen} was made to it: such a change comes through the stream, and wins.
 *
 * <p>Methods throw LakestreamException: SOURCE_UNREACHABLE where the connection is lost,
 * SOURCE_REFUSED or SOURCE_NOT_READY otherwise.
 */
public interface TableCopy extends AutoCloseable {
  /**
   * Reads the next chunk.
   *
   * @param after key of the last row read before, one text per key column in the key's order; empty
   *     for the first chunk
   * @param rows at most so many, at least 1
   * @param bytes end the chunk once its rows have about so many bytes
   */
  Chunk next(Optional<List<String>> after, int rows, long bytes);

  /**
   * Reads one row.
   *
   * @param key the text forms of its key columns, in the key's order; raw values where they have
   *     none
   * @return a chunk of this row alone; without any where the source has no such row
   */
  Chunk row(List<String> key);

  /** The source's own guess of the number of rows; -1 where it has none. */
  long estimateRows();

  @Override
  void close();

  /**
   * Consecutive rows of a table, read at one moment.
   *
   * @param rows in the order of the key
   * @param lastKey to go on behind; empty where these are the last rows
   * @param unconvertible rows without an exact home, which are not in {@code rows}
   * @param seen which changes the reading has seen
   */
  record Chunk(
      List<GenericRow> rows,
      Optional<List<String>> lastKey,
      List<Unconvertible> unconvertible,
      Seen seen) {}

  /**
   * A row that does not convert.
   *
   * @param key as JSON
   * @param keyRow has the key columns; empty where the key does not convert
   */
  record Unconvertible(
      String key, Optional<GenericRow> keyRow, String column, String reason, String value) {}

  /**
   * Which changes of the stream a reading has seen, by the marks that {@link Source#changeMark}
   * gives them.
   */
  interface Seen {
    /** True where the reading shows the change, or a later one of the same row. */
    boolean includes(long changeMark);

    /**
     * A position at or behind everything the reading has seen: once the stream is past it, the
     * table is what the source has.
     */
    io.lakestream.tables.change.SourcePosition position();

    /** True where this reading and every later one show the change. */
    boolean isPast(long changeMark);

    /** Prints this so that {@link Source#parseSeen} reads it. */
    String print();
  }
}
