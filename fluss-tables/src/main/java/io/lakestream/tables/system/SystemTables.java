package io.lakestream.tables.system;

import io.lakestream.tables.ddl.FlussCalls;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableName;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.batch.BatchScanner;
import org.apache.fluss.client.table.writer.TableWriter;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.types.DataField;
import org.apache.fluss.types.RowType;
import org.apache.fluss.utils.CloseableIterator;

/** How Lakestream's own tables in Fluss are made: one bucket each, in the system database. */
final class SystemTables {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private SystemTables() {}

  static TablePath path(String table) {
    return TablePath.of(TableName.SYSTEM_DATABASE, table);
  }

  /** Creates a primary-key table unless it is there. */
  static TablePath ensureKeyed(
      FlussTables tables, String table, List<DataField> fields, List<String> primaryKey) {
    Schema schema =
        Schema.newBuilder().fromRowType(new RowType(fields)).primaryKey(primaryKey).build();
    return ensure(tables, table, schema);
  }

  /** Creates an append-only table unless it is there. */
  static TablePath ensureLog(FlussTables tables, String table, List<DataField> fields) {
    return ensure(tables, table, Schema.newBuilder().fromRowType(new RowType(fields)).build());
  }

  /**
   * Reads the rows of a primary-key table as they are now, in any order.
   *
   * @param limit at most so many
   */
  static <T> List<T> list(Table table, int limit, Function<InternalRow, T> reader) {
    List<T> entries = new ArrayList<>();
    TableBucket bucket = new TableBucket(table.getTableInfo().getTableId(), 0);
    try (BatchScanner scanner = table.newScan().limit(limit).createBatchScanner(bucket)) {
      CloseableIterator<InternalRow> rows = scanner.pollBatch(PATIENCE);
      while (rows != null) {
        while (rows.hasNext()) {
          entries.add(reader.apply(rows.next()));
        }
        rows.close();
        rows = scanner.pollBatch(PATIENCE);
      }
      return entries;
    } catch (IOException e) {
      throw new LakestreamException(
          e,
          ErrorCode.FLUSS_FAILED,
          "Cannot read table %s: %s",
          table.getTableInfo().getTablePath(),
          ErrorText.of(e));
    }
  }

  /** Sends what was written and waits for it; what completes "Cannot …" in the error message. */
  static void finish(TableWriter writer, CompletableFuture<?> write, String what) {
    finish(writer, List.of(write), what);
  }

  /** The same for several writes. */
  static void finish(
      TableWriter writer, Collection<? extends CompletableFuture<?>> writes, String what) {
    writer.flush();
    writes.forEach(write -> FlussCalls.await(write, what));
  }

  /** A text column; empty where it is NULL. */
  static String text(InternalRow row, int index) {
    return row.isNullAt(index) ? "" : row.getString(index).toString();
  }

  private static TablePath ensure(FlussTables tables, String table, Schema schema) {
    TablePath path = path(table);
    tables.ensureSystemTable(
        path, TableDescriptor.builder().schema(schema).distributedBy(1).build());
    return path;
  }
}
