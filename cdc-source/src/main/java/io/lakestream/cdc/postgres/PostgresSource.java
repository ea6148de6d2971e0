package io.lakestream.cdc.postgres;

import io.debezium.connector.postgresql.PostgresConnector;
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
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/** PostgreSQL, read through its logical replication with pgoutput. */
public final class PostgresSource implements Source {
  private static final String POSITION = "lsn_commit";
  private static final String COMMIT_TIME = "ts_usec";
  // Debezium's offsets are JSON text; this is where they hold the position of the last transaction.
  private static final Pattern KEPT_POSITION = Pattern.compile("\"lsn_commit\":(\\d+)");

  private final SourceConfig config;

  public PostgresSource(SourceConfig config) {
    this.config = config;
  }

  @Override
  public SourceConfig config() {
    return config;
  }

  @Override
  public SourceConnection connect() {
    return PostgresConnection.open(config);
  }

  @Override
  public String transactionTopic() {
    return ReplicationNames.of(config.name()) + ".transaction";
  }

  @Override
  public SourcePosition endPosition(SourceRecord end) {
    return SourcePosition.ofLsn(number(end, POSITION));
  }

  @Override
  public Instant endTime(SourceRecord end) {
    return Instant.EPOCH.plus(number(end, COMMIT_TIME), ChronoUnit.MICROS);
  }

  private long number(SourceRecord end, String name) {
    if (end.sourceOffset().get(name) instanceof Long value) {
      return value;
    }
    throw new LakestreamException(
        ErrorCode.PROTOCOL_VIOLATION,
        "The end of a transaction of source %s names no %s",
        config.name(),
        name);
  }

  /** The transaction's ID, 32 bits. */
  @Override
  public long changeMark(SourceRecord change) {
    Long transaction = ((Struct) change.value()).getStruct("source").getInt64("txId");
    if (transaction == null) {
      throw new LakestreamException(
          ErrorCode.PROTOCOL_VIOLATION,
          "A change of source %s names no transaction",
          config.name());
    }
    return transaction;
  }

  @Override
  public TableCopy.Seen parseSeen(String text) {
    return XidSnapshot.read(text);
  }

  @Override
  public String changePosition(SourceRecord change) {
    return change.sourceOffset().get("lsn") instanceof Long lsn
        ? SourcePosition.ofLsn(lsn).text()
        : "unknown";
  }

  @Override
  public SourcePosition keptPosition(String offsets) {
    Matcher matcher = KEPT_POSITION.matcher(offsets);
    if (!matcher.find()) {
      throw new LakestreamException(
          ErrorCode.PROTOCOL_VIOLATION,
          "Cannot go on with source %s: the kept offsets name no position",
          config.name());
    }
    return SourcePosition.ofLsn(Long.parseUnsignedLong(matcher.group(1)));
  }

  @Override
  public LakestreamException streamFailure(SQLException e) {
    return PostgresErrors.ofStatement(config, "read the changes", e);
  }

  @Override
  public TableCopy copy(SourceTable table) {
    return new PostgresCopy(PostgresConnection.open(config), table);
  }

  @Override
  public Properties streamSettings(
      List<SourceTable> tables, Optional<String> place, CaptureContext context) {
    String name = ReplicationNames.of(config.name());
    Properties p = new Properties();
    p.setProperty("name", name);
    p.setProperty("topic.prefix", name);
    p.setProperty("connector.class", PostgresConnector.class.getName());
    connection(config, p);
    p.setProperty("plugin.name", "pgoutput");
    p.setProperty("slot.name", name);
    p.setProperty("slot.max.retries", "3");
    p.setProperty("slot.retry.delay.ms", "1000");
    p.setProperty("publication.name", name);
    p.setProperty("publication.autocreate.mode", "disabled");
    p.setProperty("table.include.list", includeList(tables));
    p.setProperty("message.prefix.include.list", PostgresConnection.MESSAGE_PREFIX);
    // Rows are copied beside the stream, by PostgresCopy.
    p.setProperty("snapshot.mode", "no_data");
    p.setProperty(CaptureContext.PROPERTY, context.id());
    p.setProperty("converters", "values");
    p.setProperty("values.type", ColumnValues.class.getName());
    p.setProperty("values." + ColumnValues.TEXT_COLUMNS, ColumnValues.textColumns(tables));
    excludeColumns(p);
    nameKeys(tables, p);
    p.setProperty("provide.transaction.metadata", "true");
    p.setProperty("tombstones.on.delete", "false");
    // Truncations, too: by default Debezium leaves them out.
    p.setProperty("skipped.operations", "none");
    // By default Debezium writes NULL for what it cannot convert.
    p.setProperty("event.converting.failure.handling.mode", "fail");
    p.setProperty("event.processing.failure.handling.mode", "fail");
    p.setProperty("offset.storage", FlussOffsetStore.class.getName());
    // Every failure ends the session. The next one knows what may be read twice; a retry inside
    // Debezium would not tell.
    p.setProperty("errors.max.retries", "0");
    p.setProperty("poll.interval.ms", "10");
    p.setProperty("max.batch.size", "8192");
    p.setProperty("max.queue.size", "32768");
    p.setProperty("record.processing.threads", "1");
    return p;
  }

  private static void connection(SourceConfig config, Properties p) {
    p.setProperty("database.hostname", config.host());
    p.setProperty("database.port", String.valueOf(config.port()));
    p.setProperty("database.dbname", config.database());
    p.setProperty("database.user", config.user());
    p.setProperty("database.password", config.password().reveal());
    PostgresSession.tls(config.tls())
        .forEach((key, text) -> p.setProperty("database." + key, text));
    p.setProperty("database.connection.factory.class", StreamConnections.class.getName());
  }

  private void excludeColumns(Properties p) {
    String skipped =
        config.overrides().tables().entrySet().stream()
            .flatMap(
                table ->
                    table.getValue().entrySet().stream()
                        .filter(column -> column.getValue().isSkip())
                        .map(column -> exactly(table.getKey()) + "\\." + exactly(column.getKey())))
            .collect(Collectors.joining(","));
    if (!skipped.isEmpty()) {
      p.setProperty("column.exclude.list", skipped);
    }
  }

  // Without a primary key Debezium takes any unique index for the key, but changes carry the
  // columns of the replica identity.
  private static void nameKeys(List<SourceTable> tables, Properties p) {
    String keys =
        tables.stream()
            .filter(table -> !table.hasPrimaryKey())
            .map(
                table ->
                    exactly(table.definition().name().schema())
                        + "\\."
                        + exactly(table.definition().name().table())
                        + ":"
                        + table.definition().primaryKey().stream()
                            .map(PostgresSource::exactly)
                            .collect(Collectors.joining(",")))
            .collect(Collectors.joining(";"));
    if (!keys.isEmpty()) {
      p.setProperty("message.key.columns", keys);
    }
  }

  // Regular expressions, separated by commas: everything but letters and digits goes in as its
  // code, so that no name can break out.
  private static String includeList(List<SourceTable> tables) {
    return tables.stream()
        .map(
            table ->
                exactly(table.definition().name().schema())
                    + "\\."
                    + exactly(table.definition().name().table()))
        .collect(Collectors.joining(","));
  }

  private static String exactly(String name) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      regex.append(plain ? String.valueOf(c) : String.format("\\u%04x", (int) c));
    }
    return regex.toString();
  }
}
