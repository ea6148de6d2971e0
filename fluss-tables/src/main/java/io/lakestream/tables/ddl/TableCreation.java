package io.lakestream.tables.ddl;

import static io.lakestream.tables.ddl.FlussCalls.await;
import static io.lakestream.tables.ddl.FlussCalls.call;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.exception.SchemaNotExistException;
import org.apache.fluss.exception.TableNotExistException;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.metadata.TablePath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates Fluss tables so that they can be written at once, whatever was left half done before. */
final class TableCreation {
  private static final Duration LEADER_POLL = Duration.ofMillis(50);
  private static final Duration NEW_TABLE_PATIENCE = Duration.ofSeconds(10);
  private static final Duration HALF_DONE_PATIENCE = Duration.ofSeconds(3);
  private static final Duration DROP_PAUSE = Duration.ofSeconds(1);
  private static final int MAX_RECREATIONS = 3;
  private static final Logger LOG = LoggerFactory.getLogger(TableCreation.class);

  private final Admin admin;

  TableCreation(Admin admin) {
    this.admin = admin;
  }

  private boolean exists(TablePath path) {
    return await(admin.tableExists(path), "look for table " + path);
  }

  private void offsets(TablePath path, int buckets) {
    List<Integer> ids = IntStream.range(0, buckets).boxed().toList();
    call(
        () -> admin.listOffsets(path, ids, new OffsetSpec.LatestSpec()).all(),
        "list log offsets of " + path);
  }

  // A new table's buckets have no leader for a moment, and a writer that meets such a bucket waits
  // for one without limit. Worse, Fluss 0.9.1's coordinator misses some tables for good: it learns
  // of a table by watching one ZooKeeper node being created empty and then filled, and where it is
  // slow to look it sees only a filled node, which it takes for no new table. A table that this
  // call made and that never had a leader holds no row, so dropping it loses nothing.
  /** Creates the table unless it is there; every bucket has a leader on return. */
  TableInfo create(TablePath path, TableDescriptor descriptor) {
    for (int attempt = 1; ; attempt++) {
      boolean existed = exists(path) && !finishHalfDone(path);
      createWhole(path, descriptor);
      TableInfo info = await(admin.getTableInfo(path), "read table " + path);
      boolean mayRepeat = !existed && attempt <= MAX_RECREATIONS;
      Duration patience = mayRepeat ? NEW_TABLE_PATIENCE : FlussCalls.TIMEOUT;
      Optional<LakestreamException> missing = awaitLeaders(path, info.getNumBuckets(), patience);
      if (missing.isEmpty()) {
        return info;
      }
      if (!mayRepeat) {
        throw new LakestreamException(
            missing.get(),
            ErrorCode.FLUSS_FAILED,
            "Cannot use Fluss table %s: its buckets have no leader. Check that the tablet servers are up; if they are, restart the Fluss coordinator (%s)",
            path,
            ErrorText.of(missing.get()));
      }
      LOG.warn("Creating a table again that got no leader: table={} attempt={}", path, attempt);
      await(admin.dropTable(path, true), "drop table " + path);
      // Time for the coordinator to see the drop by itself, not as one change with the creation.
      LockSupport.parkNanos(DROP_PAUSE.toNanos());
    }
  }

  /** Ends a drop that a stop of Fluss cut short. True where there was one. */
  private boolean finishHalfDone(TablePath path) {
    long deadline = System.nanoTime() + HALF_DONE_PATIENCE.toNanos();
    while (true) {
      try {
        await(admin.getTableInfo(path), "read table " + path);
        return false;
      } catch (LakestreamException e) {
        if (e.getCause() instanceof TableNotExistException) {
          return true; // whoever drops it is through
        }
        if (!(e.getCause() instanceof SchemaNotExistException)) {
          throw e;
        }
      }
      if (System.nanoTime() > deadline) {
        // A drop takes the schema away first and the table last. Nobody can read a table without a
        // schema, so nothing is lost that the drop would have kept.
        LOG.warn("Dropping a table whose drop was cut short: table={}", path);
        await(admin.dropTable(path, true), "drop table " + path);
        return true;
      }
      LockSupport.parkNanos(LEADER_POLL.toNanos());
    }
  }

  // Fluss creates a table in two steps, first its schema and then the table itself. In between, a
  // second creation fails because the schema is there, whoever makes it: another process, or this
  // one again where the network lost the first answer.
  private void createWhole(TablePath path, TableDescriptor descriptor) {
    long deadline = System.nanoTime() + HALF_DONE_PATIENCE.toNanos();
    while (true) {
      try {
        await(admin.createTable(path, descriptor, true), "create table " + path);
        return;
      } catch (LakestreamException e) {
        if (!String.valueOf(e.getCause().getMessage()).contains("NodeExistsException")) {
          throw e;
        }
        if (System.nanoTime() > deadline) {
          // Fluss itself neither shows nor drops such a table.
          throw new LakestreamException(
              e,
              ErrorCode.FLUSS_FAILED,
              "Cannot create Fluss table %s: a creation that was cut short left a part of it in ZooKeeper. Start Lakestream again on the data folder, which removes it; in a Fluss cluster of your own, delete the node /fluss/metadata/databases/%s/tables/%s in ZooKeeper.",
              path,
              path.getDatabaseName(),
              path.getTableName());
        }
      }
      LockSupport.parkNanos(LEADER_POLL.toNanos());
    }
  }

  private Optional<LakestreamException> awaitLeaders(
      TablePath path, int buckets, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        offsets(path, buckets);
        return Optional.empty();
      } catch (LakestreamException e) {
        if (System.nanoTime() > deadline) {
          return Optional.of(e);
        }
      }
      LockSupport.parkNanos(LEADER_POLL.toNanos());
    }
  }
}
