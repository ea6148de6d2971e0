package io.lakestream.union.read;

import static io.lakestream.tables.error.Checks.checkArgument;

import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/**
 * What of a planned read is wanted.
 *
 * @param columns names of the result's columns, in its order; empty for all of the table's
 * @param filter rows to keep, over any of the table's columns. As in SQL, a comparison with NULL
 *     keeps no row, and neither does its negation
 * @param limit at most this many rows, 0 or greater; empty for all. Which ones is not defined
 * @param tailMemoryBytes estimate of the heap that the stream tail may take, greater than 0. A tail
 *     that needs more fails the read
 */
public record ReadOptions(
    List<String> columns, Expression filter, OptionalLong limit, long tailMemoryBytes) {
  private static final long DEFAULT_TAIL_MEMORY_BYTES = 256L << 20;

  public ReadOptions {
    columns = List.copyOf(columns);
    checkArgument(
        columns.stream().distinct().count() == columns.size(),
        "Invalid columns to read: %s (each at most once)",
        columns);
    checkArgument(
        limit.isEmpty() || limit.getAsLong() >= 0, "Invalid limit: %s (must be >= 0)", limit);
    checkArgument(
        tailMemoryBytes > 0, "Invalid tail memory: %s bytes (must be > 0)", tailMemoryBytes);
  }

  /** All columns of all rows, at most 256 MB of tail. */
  public static ReadOptions all() {
    return new ReadOptions(
        List.of(), Expressions.alwaysTrue(), OptionalLong.empty(), DEFAULT_TAIL_MEMORY_BYTES);
  }

  public ReadOptions withColumns(String... names) {
    return withColumns(List.of(names));
  }

  public ReadOptions withColumns(List<String> names) {
    return new ReadOptions(names, filter, limit, tailMemoryBytes);
  }

  public ReadOptions withFilter(Expression expression) {
    return new ReadOptions(columns, expression, limit, tailMemoryBytes);
  }

  public ReadOptions withLimit(long rows) {
    return new ReadOptions(columns, filter, OptionalLong.of(rows), tailMemoryBytes);
  }

  public ReadOptions withTailMemoryBytes(long bytes) {
    return new ReadOptions(columns, filter, limit, bytes);
  }
}
