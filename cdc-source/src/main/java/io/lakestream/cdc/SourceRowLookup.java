package io.lakestream.cdc;

import io.lakestream.cdc.decode.UnconvertibleValueException;
import io.lakestream.cdc.source.Source;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.write.MissingValues;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.LakestreamException;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.fluss.row.GenericRow;

/**
 * Asks the source for what its log did not say, on a connection of its own that opens when it is
 * needed. For one thread.
 */
final class SourceRowLookup implements MissingValues, AutoCloseable {
  private final Source source;
  private final Consumer<SourcePosition> barrier;
  private SourceConnection connection;

  /**
   * Starts without a connection.
   *
   * @param barrier receives the position before which no cut may be written
   */
  SourceRowLookup(Source source, Consumer<SourcePosition> barrier) {
    this.source = source;
    this.barrier = barrier;
  }

  @Override
  public void fill(SourceTable table, GenericRow row, BitSet columns)
      throws UnconvertibleValueException {
    connection().readRow(table, row, columns);
    barrier.accept(connection().currentPosition());
  }

  /** Reads a table from the catalog as it is now; empty where it cannot be captured any more. */
  Optional<SourceTable> current(SourceTable table) {
    return connection().discover().tables().stream()
        .filter(found -> found.definition().name().equals(table.definition().name()))
        .findFirst();
  }

  private SourceConnection connection() {
    if (connection == null) {
      connection = source.connect();
    }
    return connection;
  }

  @Override
  public void close() throws LakestreamException {
    if (connection != null) {
      connection.close();
    }
  }
}
