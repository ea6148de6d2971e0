package io.lakestream.cdc;

import io.debezium.connector.postgresql.PostgresConnector;
import io.debezium.relational.TableId;
import io.lakestream.cdc.decode.CaptureContext;
import io.lakestream.cdc.decode.ColumnValues;
import io.lakestream.cdc.decode.SelectList;
import io.lakestream.cdc.decode.SnapshotSelect;
import io.lakestream.cdc.position.FlussOffsetStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/** How Debezium is set up for one session. */
final class DebeziumSettings {
  private DebeziumSettings() {}

  /** The query of the initial copy per table, by the table's name as Debezium quotes it. */
  static Map<String, String> selects(List<SourceTable> tables) {
    Map<String, String> selects = new HashMap<>();
    for (SourceTable table : tables) {
      TableId id =
          new TableId(null, table.definition().name().schema(), table.definition().name().table());
      selects.put(id.toDoubleQuotedString(), SelectList.wholeTable(table));
    }
    return selects;
  }

  /** Topic on which Debezium tells of the ends of transactions. */
  static String transactionTopic(SourceConfig config) {
    return ReplicationNames.of(config.name()) + ".transaction";
  }

  static Properties of(
      SourceConfig config, List<SourceTable> tables, CaptureContext context, boolean copying) {
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
    p.setProperty("message.prefix.include.list", PostgresSource.MESSAGE_PREFIX);
    // Who goes on must never copy: no_data reads the stream only.
    p.setProperty("snapshot.mode", copying ? "initial" : "no_data");
    p.setProperty("snapshot.query.mode", "custom");
    p.setProperty("snapshot.query.mode.custom.name", SnapshotSelect.NAME);
    p.setProperty(CaptureContext.PROPERTY, context.id());
    p.setProperty("converters", "values");
    p.setProperty("values.type", ColumnValues.class.getName());
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
    p.setProperty("driver.options", PostgresSource.valueOptions());
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
