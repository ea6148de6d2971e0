package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.decode.UnconvertibleValueException;
import io.lakestream.cdc.source.Discovery;
import io.lakestream.cdc.source.Requirement;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.fluss.row.GenericRow;

/** One JDBC connection to a MariaDB. For one thread. */
public final class MariaDbConnection implements SourceConnection {
  private final SourceConfig config;
  private final MariaDbSession session;
  private final Map<String, String> cascades = new HashMap<>();

  private MariaDbConnection(SourceConfig config, MariaDbSession session) {
    this.config = config;
    this.session = session;
  }

  /**
   * Connects.
   *
   * @throws LakestreamException SOURCE_UNREACHABLE, SOURCE_REFUSED or SOURCE_NOT_READY, with the
   *     way out
   */
  public static MariaDbConnection open(SourceConfig config) {
    return new MariaDbConnection(config, MariaDbSession.open(config));
  }

  @Override
  public List<Requirement> requirements(boolean resumes) {
    List<Requirement> all = new ArrayList<>();
    if (!config.overrides().tables().isEmpty()) {
      all.add(
          Requirement.of(
              config.name(),
              false,
              ErrorCode.INVALID_CONFIG,
              "table-settings",
              "no columns",
              "columns",
              "the homes of its columns cannot be chosen yet where the source is a MariaDB",
              "Remove columns from sources." + config.name() + "."));
    }
    all.addAll(MariaDbChecks.list(session));
    return all;
  }

  /** None: the server keeps nothing for us. */
  @Override
  public List<Requirement> preparations(Discovery found) {
    return List.of();
  }

  @Override
  public Discovery discover() {
    return MariaDbDiscovery.discover(session, cascades);
  }

  @Override
  public void checkFirstCapture(Discovery found) {
    found.checkNotEmpty(config.name());
  }

  /**
   * Writes nothing. A commit that has returned is in the binlog, so it lies before where the binlog
   * ends now; and the stream makes a cut there without a further change, since the server sends a
   * heartbeat whenever it has nothing else to send.
   */
  @Override
  public SourcePosition mark() {
    return session.binlogEnd();
  }

  @Override
  public SourcePosition currentPosition() {
    return session.binlogEnd();
  }

  @Override
  public TableCopy.Seen seenNow() {
    try (Statement statement = session.connection().createStatement()) {
      try {
        return BinlogSeen.begin(config, statement);
      } finally {
        statement.execute("COMMIT");
      }
    } catch (SQLException e) {
      throw MariaDbErrors.ofStatement(config, "ask what is visible", e);
    }
  }

  @Override
  public long bytesSince(SourcePosition position) {
    BinlogPlace place = BinlogPlace.of(position);
    long bytes = -place.offset();
    boolean found = false;
    for (Map.Entry<String, Long> file : binlogFiles().entrySet()) {
      found |= file.getKey().equals(place.file());
      bytes += found ? file.getValue() : 0;
    }
    return found ? Math.max(0, bytes) : 0;
  }

  /** Size of each binlog file, oldest first. */
  private Map<String, Long> binlogFiles() {
    Map<String, Long> files = new LinkedHashMap<>();
    session
        .list(
            "list the binlog files",
            "SHOW BINARY LOGS",
            row -> Map.entry(row.getString(1), row.getLong(2)))
        .forEach(file -> files.put(file.getKey(), file.getValue()));
    return files;
  }

  @Override
  public Optional<String> findLoss(Optional<SourcePosition> acknowledged) {
    if (acknowledged.isEmpty()) {
      // Captured by a version that did not keep its first place.
      return Optional.of("the session before ended before its first acknowledgement");
    }
    BinlogPlace place = BinlogPlace.of(acknowledged.get());
    Map<String, Long> files = binlogFiles();
    Long size = files.get(place.file());
    if (size == null) {
      return Optional.of(
          "binlog file %s, which was read up to offset %s, was removed from the server"
              .formatted(place.file(), place.offset()));
    }
    return size >= place.offset()
        ? Optional.empty()
        : Optional.of(
            "binlog file %s ends at offset %s and was read up to %s: the server's binlog began anew, or this is another server"
                .formatted(place.file(), size, place.offset()));
  }

  @Override
  public boolean isPlaceInUse() {
    return session.one(
        "ask for our place",
        "SELECT IS_FREE_LOCK(?)",
        row -> row.getInt(1) == 0,
        CapturePlace.lock(config.name()));
  }

  @Override
  public LakestreamException placeInUse() {
    return placeInUse(config);
  }

  static LakestreamException placeInUse(SourceConfig config) {
    return new LakestreamException(
        ErrorCode.SOURCE_NOT_READY,
        "Cannot capture source %s: another process captures a source of this name from the server at %s:%s (it holds lock %s). Stop it, or give this source another name.",
        config.name(),
        config.host(),
        config.port(),
        CapturePlace.lock(config.name()));
  }

  /** Nothing: the server keeps no place for us. */
  @Override
  public void dropPlace() {
    // A binlog is kept for as long as the server's own settings say.
  }

  /**
   * Where the binlog ends now. Copies begin after that, so that what is committed in between is in
   * the stream.
   */
  @Override
  public Optional<String> takePlace() {
    BinlogPlace end = BinlogPlace.of(session.binlogEnd());
    String gtids = session.gtidsAt(end);
    return Optional.of(end.withGtid(gtids == null ? "" : gtids.replaceFirst(",.*", "")).text());
  }

  /** Nothing: the binlog has the changes of all tables. */
  @Override
  public void publish(List<SourceTable> tables) {
    // The stream takes those it was started with.
  }

  @Override
  public boolean readRow(SourceTable table, GenericRow row, BitSet columns)
      throws UnconvertibleValueException {
    // Changes carry all columns here, or pause their table: nobody asks.
    throw new LakestreamException(
        ErrorCode.PROTOCOL_VIOLATION,
        "Cannot read a row of %s: changes of a MariaDB carry all columns",
        table.display());
  }

  @Override
  public void close() {
    session.close();
  }
}
