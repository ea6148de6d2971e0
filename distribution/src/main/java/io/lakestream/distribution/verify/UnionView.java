package io.lakestream.distribution.verify;

import static io.lakestream.tables.error.Checks.checkArgument;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableName;
import io.lakestream.union.UnionReader;
import io.lakestream.union.plan.ReadPlan;
import io.lakestream.union.plan.ReadPoint;
import io.lakestream.union.read.ReadOptions;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterator;

/** The view as the union reader reads it. */
public final class UnionView implements View {
  private final UnionReader reader;
  private final Supplier<Optional<LakestreamException>> failure;

  /**
   * @param failure asked while waiting: why the view will never get there, if so
   */
  public UnionView(UnionReader reader, Supplier<Optional<LakestreamException>> failure) {
    this.reader = reader;
    this.failure = failure;
  }

  @Override
  public Pinned pin(Collection<TableName> tables, SourcePosition position, Duration timeout) {
    checkArgument(!tables.isEmpty(), "There is no table to read");
    String source = tables.iterator().next().source();
    Cut cut = CutWait.await(reader, source, position, timeout, failure);
    Map<TableName, ReadPlan> plans = reader.plan(tables, ReadPoint.at(cut));
    return new Pinned() {
      @Override
      public SourcePosition position() {
        return cut.position();
      }

      @Override
      public CloseableIterator<Record> rows(TableName table) {
        return reader.read(plans.get(table), ReadOptions.all());
      }
    };
  }
}
