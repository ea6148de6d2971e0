package io.lakestream.cdc.write;

import io.lakestream.cdc.decode.UnconvertibleValueException;
import io.lakestream.cdc.source.SourceTable;
import java.util.BitSet;
import org.apache.fluss.row.GenericRow;

/** Finds in the source itself values that a change did not carry. */
public interface MissingValues {
  /**
   * Fills {@code columns} of {@code row} with what the source has now for its key; leaves them NULL
   * where the source has no such row.
   *
   * <p>The source may be ahead of the change, so the values may be later ones: no cut may be
   * written before the source's position after this call.
   */
  void fill(SourceTable table, GenericRow row, BitSet columns) throws UnconvertibleValueException;
}
