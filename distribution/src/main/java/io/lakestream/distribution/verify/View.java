package io.lakestream.distribution.verify;

import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.schema.TableName;
import java.time.Duration;
import java.util.Collection;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterator;

/** The view of one source's tables, as verification needs it. */
public interface View {
  /**
   * Waits until the view covers a position, and plans to read all tables at one cut that does.
   *
   * @param tables of the one source
   * @throws io.lakestream.tables.error.LakestreamException TIMEOUT where it does not within {@code
   *     timeout}
   */
  Pinned pin(Collection<TableName> tables, SourcePosition position, Duration timeout);

  /** All tables at one cut. */
  interface Pinned {
    /** Position of the cut. */
    SourcePosition position();

    /** Every row of a table, in any order; the caller closes the iterator. */
    CloseableIterator<Record> rows(TableName table);
  }
}
