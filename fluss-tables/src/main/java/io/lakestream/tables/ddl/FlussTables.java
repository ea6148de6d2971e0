package io.lakestream.tables.ddl;

import static io.lakestream.tables.ddl.FlussCalls.await;
import static io.lakestream.tables.ddl.FlussCalls.call;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.fluss.client.Connection;
import org.apache.fluss.client.ConnectionFactory;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.client.admin.OffsetSpec;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.config.Configuration;
import org.apache.fluss.metadata.DatabaseDescriptor;
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

  private static final Logger LOG = LoggerFactory.getLogger(FlussTables.class);

  private final Connection connection;
  private final Admin admin;
  private final TableCreation creation;
  private final Generations generations;

  private FlussTables(Connection connection) {
    this.connection = connection;
    this.admin = connection.getAdmin();
    this.creation = new TableCreation(admin);
    this.generations = new Generations((FlussConnection) connection, admin, creation);
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
    ensureDatabase(definition.name().source());
    LiveTable live =
        generations
            .live(definition.name())
            .orElseGet(() -> generations.create(definition, 1, false));
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
    return creation.create(path, descriptor);
  }

  /** True where Fluss has a table at this path. */
  public boolean exists(TablePath path) {
    return await(admin.tableExists(path), "look for table " + path);
  }

  /**
   * Finds the generation of a Lakestream table that is read; empty where there is none of this
   * name, or it is only half there.
   */
  public Optional<LiveTable> find(TableName name) {
    return generations.live(name);
  }

  /** All generations of tables. */
  public Generations generations() {
    return generations;
  }

  /**
   * Lists all Lakestream tables but those half there, each with the generation that is read,
   * ordered by name.
   */
  public List<LiveTable> list() {
    List<LiveTable> tables = new ArrayList<>();
    for (String database : await(admin.listDatabases(), "list databases")) {
      if (database.equals(TableName.SYSTEM_DATABASE)) {
        continue;
      }
      for (String table : await(admin.listTables(database), "list tables of " + database)) {
        generations.at(TablePath.of(database, table)).ifPresent(tables::add);
      }
    }
    return Generations.live((Iterable<LiveTable>) tables);
  }

  /**
   * Drops all generations of the table with all of their data in Fluss; the lake table stays. Does
   * nothing without one.
   */
  public void drop(TableName name) {
    generations.drop(name);
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
  public long rowCount(LiveTable table) {
    return rowCount(table.path());
  }

  /** The same for any table of Fluss. */
  public long rowCount(TablePath path) {
    return call(() -> admin.getTableStats(path), "count rows of " + path).getRowCount();
  }

  @Override
  public void close() {
    FlussCalls.close(admin, "the Fluss admin client");
    FlussCalls.close(connection, "the Fluss connection");
  }
}
