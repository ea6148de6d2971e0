package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.decode.CaptureContext;
import io.lakestream.cdc.position.FlussOffsetStore;
import io.lakestream.cdc.source.Source;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * MariaDB, read through its binlog.
 *
 * <p>Debezium's engine runs the stream and keeps its offsets, and Debezium's client speaks the
 * server's protocol; what makes records of the events is {@link BinlogConnector} and not Debezium's
 * own connector, for three reasons. It takes values apart before anyone can look at them: a zero
 * date is NULL there, the year 0 is 1900, and an impossible date ends the whole stream. It parses
 * every DDL statement of the server to know what its tables look like, and fails on those it does
 * not know; with {@code binlog_row_metadata=FULL} the log itself says with every change what its
 * columns are. And its ends of transactions name no position, so that an idle source needs a table
 * to write into; here any place between two transactions is an end, and the source is never
 * written.
 */
public final class MariaDbSource implements Source {
  private final SourceConfig config;

  public MariaDbSource(SourceConfig config) {
    this.config = config;
  }

  @Override
  public SourceConfig config() {
    return config;
  }

  @Override
  public SourceConnection connect() {
    return MariaDbConnection.open(config);
  }

  @Override
  public TableCopy copy(SourceTable table) {
    return MariaDbCopy.open(config, table);
  }

  @Override
  public Properties streamSettings(
      List<SourceTable> tables, Optional<String> place, CaptureContext context) {
    context.attach(
        new StreamPlan(
            config,
            tables.stream().map(CapturedColumns::of).toList(),
            place.map(BinlogPlace::parse)));
    Properties p = new Properties();
    p.setProperty("name", "lakestream_" + config.name());
    p.setProperty("connector.class", BinlogConnector.class.getName());
    p.setProperty(CaptureContext.PROPERTY, context.id());
    p.setProperty("offset.storage", FlussOffsetStore.class.getName());
    // Every failure ends the session. The next one knows what may be read twice; a retry inside
    // Debezium would not tell.
    p.setProperty("errors.max.retries", "0");
    p.setProperty("record.processing.threads", "1");
    return p;
  }

  @Override
  public String transactionTopic() {
    return StreamRecords.transactionTopic(config.name());
  }

  @Override
  public SourcePosition endPosition(SourceRecord end) {
    return BinlogPlace.of(end.sourceOffset()).position();
  }

  @Override
  public Instant endTime(SourceRecord end) {
    return Instant.ofEpochMilli(((Struct) end.value()).getInt64(StreamRecords.TIME_MS));
  }

  /**
   * Ordinal of the place behind the change's event. A transaction's events lie next to each other
   * in the binlog, and a consistent snapshot stands between two transactions; so a snapshot has
   * seen a change just where this is at or before the snapshot's own position.
   */
  @Override
  public long changeMark(SourceRecord change) {
    if (change.sourceOffset().get(StreamRecords.ORDINAL) instanceof Long ordinal) {
      return ordinal;
    }
    throw new LakestreamException(
        ErrorCode.PROTOCOL_VIOLATION, "A change of source %s names no position", config.name());
  }

  @Override
  public TableCopy.Seen parseSeen(String text) {
    return new BinlogSeen(SourcePosition.parseBinlog(text));
  }

  @Override
  public String changePosition(SourceRecord change) {
    return BinlogPlace.of(change.sourceOffset()).position().text();
  }

  @Override
  public SourcePosition keptPosition(String offsets) {
    return BinlogPlace.parse(offsets).position();
  }

  @Override
  public LakestreamException streamFailure(SQLException e) {
    return MariaDbErrors.ofStatement(config, "read the changes", e);
  }
}
