package io.lakestream.tables.ddl;

import static io.lakestream.tables.ddl.FlussCalls.call;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.client.metadata.MetadataUpdater;
import org.apache.fluss.memory.UnmanagedPagedOutputView;
import org.apache.fluss.metadata.TableBucket;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.record.KvRecordBatchBuilder;
import org.apache.fluss.record.bytesview.BytesView;
import org.apache.fluss.rpc.gateway.TabletServerGateway;
import org.apache.fluss.rpc.messages.PbPutKvRespForBucket;
import org.apache.fluss.rpc.messages.PutKvRequest;
import org.apache.fluss.rpc.protocol.Errors;

/**
 * Asks the tablet servers whether they take rows of a table's newest schema.
 *
 * <p>Fluss 0.9.1's coordinator or tablet server can miss an added column for good. Its client then
 * sends the first rows with that column again and again, for ever, and every flush of the
 * connection waits for them. So the servers are asked with a batch that has no rows, which they
 * refuse or take as an entry of the log without rows.
 */
final class SchemaProbe {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int BATCH_BYTES = 256;
  private static final int ALL_REPLICAS = -1;

  private final FlussConnection connection;

  SchemaProbe(FlussConnection connection) {
    this.connection = connection;
  }

  /**
   * True once all buckets of the table take its newest schema; false where one does not in time.
   */
  boolean isTaken(TableInfo table, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    for (int bucket = 0; bucket < table.getNumBuckets(); bucket++) {
      while (!isTaken(table, bucket)) {
        if (System.nanoTime() > deadline) {
          return false;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
    return true;
  }

  private boolean isTaken(TableInfo table, int bucket) {
    PutKvRequest request =
        new PutKvRequest()
            .setTableId(table.getTableId())
            .setAcks(ALL_REPLICAS)
            .setTimeoutMs((int) FlussCalls.TIMEOUT.toMillis());
    request.addBucketsReq().setBucketId(bucket).setRecordsBytesView(noRows(table));
    String what = "ask for the schema of table " + table.getTablePath();
    PbPutKvRespForBucket answer =
        call(() -> leader(table, bucket).putKv(request), what).getBucketsRespAt(0);
    if (!answer.hasErrorCode() || answer.getErrorCode() == Errors.NONE.code()) {
      return true;
    }
    Errors error = Errors.forCode(answer.getErrorCode());
    if (error == Errors.SCHEMA_NOT_EXIST) {
      return false;
    }
    throw new LakestreamException(
        ErrorCode.FLUSS_FAILED, "Cannot %s: %s %s", what, error, answer.getErrorMessage());
  }

  private TabletServerGateway leader(TableInfo table, int bucket) {
    MetadataUpdater metadata = connection.getMetadataUpdater();
    metadata.checkAndUpdateTableMetadata(Set.of(table.getTablePath()));
    int server =
        metadata.leaderFor(table.getTablePath(), new TableBucket(table.getTableId(), bucket));
    return metadata.newTabletServerClientForNode(server);
  }

  private static BytesView noRows(TableInfo table) {
    try (KvRecordBatchBuilder batch =
        KvRecordBatchBuilder.builder(
            table.getSchemaId(),
            BATCH_BYTES,
            new UnmanagedPagedOutputView(BATCH_BYTES),
            table.getTableConfig().getKvFormat())) {
      return batch.build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
