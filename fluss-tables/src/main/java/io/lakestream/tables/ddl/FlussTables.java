package io.lakestream.tables.ddl;

import static io.lakestream.tables.ddl.FlussCalls.await;
import static io.lakestream.tables.ddl.FlussCalls.call;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.exception.SchemaNotExistException;
import org.apache.fluss.exception.TableNotExistException;
import org.apache.fluss.metadata.DatabaseDescriptor;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.metadata.TablePath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Lakestream tables of a Fluss cluster: creates, finds, lists and drops them.
 *
 * <p>A Fluss table is a Lakestream table when it carries the custom property {@link
 * #DEFINITION_PROPERTY}. Fluss's own lake tiering stays off for it.
 *
 * <p>Owns one connection, which is safe for many threads; so is this class.
 */
public final class FlussTables implements AutoCloseable {
  /** Custom property that holds the definition as JSON and marks the table as ours. */
  public static final String DEFINITION_PROPERTY = "lakestream.definition";

  private static final Duration LEADER_POLL = Duration.ofMillis(50);
  private static final Duration NEW_TABLE_PATIENCE = Duration.ofSeconds(10);
  private static final Duration HALF_DONE_PATIENCE = Duration.ofSeconds(3);
  private static final Duration DROP_PAUSE = Duration.ofSeconds(1);
  private static final int MAX_RECREATIONS = 3;
  private static final Logger LOG = LoggerFactory.getLogger(FlussTables.class);

  private final Connection connection;
  private final Admin admin;

  private FlussTables(Connection connection) {
    this.connection = connection;
    this.admin = connection.getAdmin();
  }

  /**
   * Connects to a cluster.
   *
   * @param bootstrapServers {@code host:port}, several separated by commas
   */
  public static FlussTables open(String bootstrapServers) {
    Configuration conf = new Configuration();
    conf.setString("bootstrap.servers", bootstrapServers);
    // A synchronous lookup waits for this long: 100 ms by default.
    conf.setString("client.lookup.batch-timeout", "1ms");
    // Capture flushes at every cut, so a batch never waits for more rows than a flush brings.
    conf.setString("client.writer.batch-timeout", "5ms");
    // Fluss 0.9.1 shrinks the batches of a table that gets small ones, and then takes a row that
    // does not fit into a new batch without writing it. Where batches do not shrink, a row beyond
    // the batch size gets a batch of its own size. So no shrinking, and batches small enough for
    // hundreds of buckets to share the buffer.
    conf.setString("client.writer.dynamic-batch-size.enabled", "false");
    conf.setString("client.writer.batch-size", "512kb");
    conf.setString("client.writer.buffer.memory-size", "96mb");
    conf.setString("client.writer.buffer.per-request-memory-size", "96mb");
    return new FlussTables(ConnectionFactory.createConnection(conf));
  }

  /** The shared connection, open until {@link #close}. */
  public Connection connection() {
    return connection;
  }

  /** A handle for one thread; the caller closes it. */
  public Table openTable(TablePath path) {
    return connection.getTable(path);
  }

  /**
   * Creates the table unless it is there. Does nothing where the same definition exists.
   *
   * @throws LakestreamException INCOMPATIBLE_DEFINITION where the table exists with another
   *     definition
   */
  public LiveTable create(TableDefinition definition) {
    TablePath path = definition.name().toFluss();
    ensureDatabase(path.getDatabaseName());
    Schema schema =
        Schema.newBuilder()
            .fromRowType(definition.toFlussRowType())
            .primaryKey(definition.primaryKey())
            .build();
    TableDescriptor descriptor =
        TableDescriptor.builder()
            .schema(schema)
            .distributedBy(definition.buckets())
            .customProperty(DEFINITION_PROPERTY, DefinitionJson.write(definition))
            .build();
    createWithLeaders(path, descriptor);
    LiveTable live =
        find(definition.name())
            .orElseThrow(
                () ->
                    new LakestreamException(
                        ErrorCode.INCOMPATIBLE_DEFINITION,
                        "Cannot use Fluss table %s for %s: it exists and is not a Lakestream table. Drop or rename it.",
                        path,
                        definition.name()));
    if (!live.definition().equals(definition)) {
      throw new LakestreamException(
          ErrorCode.INCOMPATIBLE_DEFINITION,
          "Table %s changed in the source: Fluss has %s, the source has %s. Take a new copy of the table.",
          definition.name().display(),
          describe(live.definition()),
          describe(definition));
    }
    LOG.info("Table is ready: table={} tableId={}", definition.name(), live.tableId());
    return live;
  }

  // A new table's buckets have no leader for a moment, and a writer that meets such a bucket waits
  // for one without limit. Worse, Fluss 0.9.1's coordinator misses some tables for good: it learns
  // of a table by watching one ZooKeeper node being created empty and then filled, and where it is
  // slow to look it sees only a filled node, which it takes for no new table. A table that this
  // call made and that never had a leader holds no row, so dropping it loses nothing.
  private TableInfo createWithLeaders(TablePath path, TableDescriptor descriptor) {
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
        endOffsets(path, buckets);
        return Optional.empty();
      } catch (LakestreamException e) {
        if (System.nanoTime() > deadline) {
          return Optional.of(e);
        }
      }
      LockSupport.parkNanos(LEADER_POLL.toNanos());
    }
  }

  private static String describe(TableDefinition definition) {
    StringBuilder text = new StringBuilder("(");
    definition
        .columns()
        .forEach(c -> text.append(c.name()).append(' ').append(c.type()).append(", "));
    return text.append("primary key ")
        .append(definition.primaryKey())
        .append(", buckets ")
        .append(definition.buckets())
        .append(')')
        .toString();
  }

  /** Creates the database unless it is there. */
  public void ensureDatabase(String database) {
    await(
        admin.createDatabase(database, DatabaseDescriptor.EMPTY, true),
        "create database " + database);
  }

  /** Creates a table of our own, such as the cut log, unless it is there. */
  public TableInfo ensureSystemTable(TablePath path, TableDescriptor descriptor) {
    ensureDatabase(path.getDatabaseName());
    return createWithLeaders(path, descriptor);
  }

  /** True where Fluss has a table at this path. */
  public boolean exists(TablePath path) {
    return await(admin.tableExists(path), "look for table " + path);
  }

  /** Finds a Lakestream table; empty where there is none of this name, or it is only half there. */
  public Optional<LiveTable> find(TableName name) {
    return find(name.toFluss());
  }

  private Optional<LiveTable> find(TablePath path) {
    try {
      return live(await(admin.getTableInfo(path), "read table " + path));
    } catch (LakestreamException e) {
      if (e.getCause() instanceof TableNotExistException) {
        return Optional.empty();
      }
      // Half dropped is a table without a schema. Half created is one that Fluss lists, cannot read
      // and takes for absent.
      if (e.getCause() instanceof SchemaNotExistException || !exists(path)) {
        LOG.warn("Table is only half there: table={} reason={}", path, e.getMessage());
        return Optional.empty();
      }
      throw e;
    }
  }

  private static Optional<LiveTable> live(TableInfo info) {
    String json = info.getCustomProperties().toMap().get(DEFINITION_PROPERTY);
    return json == null
        ? Optional.empty()
        : Optional.of(
            new LiveTable(
                DefinitionJson.read(json),
                info.getTablePath(),
                info.getTableId(),
                info.getSchemaId()));
  }

  /** Lists all Lakestream tables but those half there, ordered by name. */
  public List<LiveTable> list() {
    List<LiveTable> tables = new ArrayList<>();
    for (String database : await(admin.listDatabases(), "list databases")) {
      if (database.equals(TableName.SYSTEM_DATABASE)) {
        continue;
      }
      for (String table : await(admin.listTables(database), "list tables of " + database)) {
        find(TablePath.of(database, table)).ifPresent(tables::add);
      }
    }
    tables.sort((a, b) -> a.definition().name().compareTo(b.definition().name()));
    return tables;
  }

  /**
   * Drops the table with all of its data in Fluss; the lake table stays. Does nothing without one.
   */
  public void drop(TableName name) {
    await(admin.dropTable(name.toFluss(), true), "drop table " + name);
    LOG.info("Dropped table: table={}", name);
  }

  /** End offset of each bucket: the offset that the next change will have. */
  public Map<Integer, Long> endOffsets(TablePath path, int buckets) {
    return offsets(path, buckets, new OffsetSpec.LatestSpec());
  }

  /** Start offset of each bucket: the first one that the log still has. */
  public Map<Integer, Long> startOffsets(TablePath path, int buckets) {
    return offsets(path, buckets, new OffsetSpec.EarliestSpec());
  }

  private Map<Integer, Long> offsets(TablePath path, int buckets, OffsetSpec spec) {
    List<Integer> ids = IntStream.range(0, buckets).boxed().toList();
    return new TreeMap<>(
        call(() -> admin.listOffsets(path, ids, spec).all(), "list log offsets of " + path));
  }

  /** Number of rows that the Fluss table holds now. */
  public long rowCount(TablePath path) {
    return call(() -> admin.getTableStats(path), "count rows of " + path).getRowCount();
  }

  @Override
  public void close() {
    FlussCalls.close(admin, "the Fluss admin client");
    FlussCalls.close(connection, "the Fluss connection");
  }
}
