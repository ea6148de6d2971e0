package io.lakestream.distribution.verify;

import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.schema.TableName;
import java.util.List;

/**
 * What a verification found for the tables of one source.
 *
 * @param position the cut that the tables were last compared at
 * @param tables in the order asked for
 */
public record VerifyReport(SourcePosition position, List<TableReport> tables) {
  /**
   * One table.
   *
   * @param rows that the source holds
   * @param differences each wrong value, missing row and extra row
   * @param undecided keys that the source changed so fast that no round could compare them
   */
  public record TableReport(
      TableName table, long rows, List<Difference> differences, long undecided) {
    public TableReport {
      differences = List.copyOf(differences);
    }
  }

  public VerifyReport {
    tables = List.copyOf(tables);
  }

  public long rows() {
    return tables.stream().mapToLong(TableReport::rows).sum();
  }

  public long differenceCount() {
    return tables.stream().mapToLong(table -> table.differences().size()).sum();
  }

  public long undecided() {
    return tables.stream().mapToLong(TableReport::undecided).sum();
  }

  /** All differences, table by table. */
  public List<Difference> differences() {
    return tables.stream().flatMap(table -> table.differences().stream()).toList();
  }
}
