package io.lakestream.distribution.query;

import java.io.IOException;

/**
 * Prints rows in one format. Rows are Java values of {@link
 * io.lakestream.tables.schema.ColumnType}, one per column, null for NULL.
 */
interface RowOutput {
  void row(Object[] values) throws IOException;

  /** Prints what is held back. Call once, after the last row. */
  void end() throws IOException;
}
