package io.lakestream.cdc.postgres;

import io.lakestream.cdc.decode.RowDecoder;
import io.lakestream.cdc.decode.UnconvertibleValueException;
import io.lakestream.cdc.source.Discovery;
import io.lakestream.cdc.source.Requirement;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.TextForm;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.fluss.row.GenericRow;

/** One JDBC connection to a PostgreSQL. For one thread. */
public final class PostgresConnection implements SourceConnection {
  /** Prefix of the logical messages that markers and heartbeats are. */
  static final String MESSAGE_PREFIX = "lakestream";

  private static final String CONNECT_SECONDS = "10";
  private static final String ANSWER_SECONDS = "60";

  /** Reads one value out of the row that a result set stands on. */
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  private final SourceConfig config;
  private final Connection connection;
  private final ReplicationObjects replication;

  private PostgresConnection(SourceConfig config, Connection connection) {
    this.config = config;
    this.connection = connection;
    this.replication = new ReplicationObjects(this);
  }

  /**
   * Connects.
   *
   * @throws io.lakestream.tables.error.LakestreamException SOURCE_UNREACHABLE, SOURCE_REFUSED or
   *     SOURCE_NOT_READY, with the way out
   */
  public static PostgresConnection open(SourceConfig config) {
    Properties properties = new Properties();
    properties.setProperty("ApplicationName", "lakestream " + config.name());
    properties.setProperty("connectTimeout", CONNECT_SECONDS);
    properties.setProperty("loginTimeout", CONNECT_SECONDS);
    properties.setProperty("socketTimeout", ANSWER_SECONDS);
    properties.setProperty("tcpKeepAlive", "true");
    try {
      return new PostgresConnection(config, PostgresSession.open(config, properties, ""));
    } catch (SQLException e) {
      throw PostgresErrors.ofConnect(config, e);
    }
  }

  SourceConfig config() {
    return config;
  }

  @Override
  public List<Requirement> requirements(boolean resumes) {
    Optional<ReplicationObjects.Slot> slot = replication.slot();
    boolean isFirst = !resumes && slot.isEmpty();
    List<Requirement> all =
        new ArrayList<>(PostgresChecks.list(this, slot.map(found -> replication.name()), isFirst));
    PostgresOverrides.check(this, !isFirst).ifPresent(all::add);
    return all;
  }

  @Override
  public Discovery discover() {
    return PostgresDiscovery.discover(this);
  }

  @Override
  public void checkFirstCapture(Discovery found) {
    if (replication.slot().isEmpty()) {
      found.checkNotEmpty(config.name());
      preparations(found).forEach(Requirement::check);
    }
  }

  @Override
  public List<Requirement> preparations(Discovery found) {
    return found.tables().isEmpty() || replication.slot().isPresent()
        ? List.of()
        : List.of(replication.publication(found.tables()));
  }

  @Override
  public SourcePosition mark() {
    // The message lies behind every commit record written before the call, and its own commit
    // record lies behind the message: the first cut that covers the returned position covers all
    // of those, and one comes without any further change in the source.
    return SourcePosition.parseLsn(
        one(
            "emit a marker into the log",
            "select pg_catalog.pg_logical_emit_message(true, ?, '')::text",
            row -> row.getString(1),
            MESSAGE_PREFIX));
  }

  @Override
  public SourcePosition currentPosition() {
    return SourcePosition.parseLsn(
        one(
            "read the position of the log",
            "select pg_catalog.pg_current_wal_insert_lsn()::text",
            row -> row.getString(1)));
  }

  // The position is read after the snapshot was taken: it lies behind every commit that it shows.
  @Override
  public TableCopy.Seen seenNow() {
    return one(
        "ask what is visible",
        "select pg_catalog.pg_current_snapshot()::text, pg_catalog.pg_current_wal_insert_lsn()::text",
        row -> XidSnapshot.parse(row.getString(1), SourcePosition.parseLsn(row.getString(2))));
  }

  @Override
  public long bytesSince(SourcePosition position) {
    return Math.max(0, currentPosition().ordinal() - position.ordinal());
  }

  @Override
  public Optional<String> findLoss(Optional<SourcePosition> acknowledged) {
    return replication.findLoss(acknowledged);
  }

  @Override
  public boolean isPlaceInUse() {
    return replication.slot().filter(ReplicationObjects.Slot::active).isPresent();
  }

  @Override
  public LakestreamException placeInUse() {
    return replication.inUse(null);
  }

  @Override
  public void dropPlace() {
    replication.dropSlot();
  }

  @Override
  public Optional<String> takePlace() {
    replication.createSlot();
    return Optional.empty();
  }

  @Override
  public void publish(List<SourceTable> tables) {
    replication.publish(tables);
  }

  @Override
  public boolean readRow(SourceTable table, GenericRow row, BitSet columns)
      throws UnconvertibleValueException {
    List<Integer> wanted = columns.stream().boxed().toList();
    Object[] values =
        one(
            "read a row of " + table.display(),
            SelectList.oneRow(table, wanted),
            result -> {
              Object[] found = new Object[wanted.size()];
              for (int i = 0; i < found.length; i++) {
                found[i] =
                    table.definition().columns().get(wanted.get(i)).type().kind()
                            == ColumnType.Kind.BYTES
                        ? result.getBytes(i + 1)
                        : result.getString(i + 1);
              }
              return found;
            },
            keyTexts(table, row));
    if (values == null) {
      return false;
    }
    for (int i = 0; i < values.length; i++) {
      Column column = table.definition().columns().get(wanted.get(i));
      row.setField(wanted.get(i), RowDecoder.decodeLongValue(column, values[i]));
    }
    return true;
  }

  /** The key of a row, one text per key column, as a cast to the column's type takes it. */
  static Object[] keyTexts(SourceTable table, GenericRow row) {
    return Arrays.stream(table.definition().keyIndexes())
        .mapToObj(
            index -> {
              ColumnType type = table.definition().columns().get(index).type();
              return TextForm.print(type, type.readFluss(row, index));
            })
        .toArray();
  }

  /** The connection itself; whoever uses it leaves it as it was. */
  Connection jdbc() {
    return connection;
  }

  /** Reads the only row of a query; null where there is none. */
  <T> T one(String what, String sql, RowReader<T> reader, Object... parameters) {
    List<T> rows = list(what, sql, reader, parameters);
    return rows.isEmpty() ? null : rows.get(0);
  }

  /** Reads all rows of a query. */
  <T> List<T> list(String what, String sql, RowReader<T> reader, Object... parameters) {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      List<T> rows = new ArrayList<>();
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          rows.add(reader.read(result));
        }
      }
      return rows;
    } catch (SQLException e) {
      throw PostgresErrors.ofStatement(config, what, e);
    }
  }

  /** Runs a statement; the caller maps the error. */
  void execute(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Runs a statement and takes it back; the caller maps the error. */
  void executeAndUndo(String sql) throws SQLException {
    connection.setAutoCommit(false);
    try {
      execute(sql);
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw PostgresErrors.ofStatement(config, "close the connection", e);
    }
  }
}
