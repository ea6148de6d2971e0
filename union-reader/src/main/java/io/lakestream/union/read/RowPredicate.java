package io.lakestream.union.read;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.expressions.Evaluator;

/** Decides about rows of one schema. For one thread. */
final class RowPredicate {
  private final Evaluator evaluator;
  private final InternalRecordWrapper wrapper;

  private RowPredicate(Evaluator evaluator, InternalRecordWrapper wrapper) {
    this.evaluator = evaluator;
    this.wrapper = wrapper;
  }

  /** Throws INVALID_ARGUMENT where the filter compares a column with a value of another type. */
  static RowPredicate of(RowFilter filter, Schema schema) {
    try {
      return new RowPredicate(
          new Evaluator(schema.asStruct(), filter.exact(), true),
          new InternalRecordWrapper(schema.asStruct()));
    } catch (ValidationException e) {
      throw new LakestreamException(
          e, ErrorCode.INVALID_ARGUMENT, "Cannot filter by %s: %s", filter.exact(), e.getMessage());
    }
  }

  boolean keeps(Record row) {
    return evaluator.eval(wrapper.wrap(row));
  }
}
