package io.lakestream.cdc.source;

import static io.lakestream.tables.error.Checks.checkArgument;

import io.lakestream.tables.schema.TableName;
import java.time.Duration;
import java.util.List;

/**
 * One database to capture.
 *
 * @param name of the source, as {@link TableName} allows it
 * @param type kind of database
 * @param host name or address
 * @param port 1 to 65535
 * @param database to connect to; exactly as the server spells it
 * @param user a role with REPLICATION and SELECT
 * @param password of the role; empty where the server asks for none
 * @param include patterns of {@code <schema>.<table>}, at least one; see {@link TablePatterns}
 * @param exclude patterns that take away from {@code include}
 * @param buckets of every Fluss table, 1 to 1024; fixed when a table is created
 * @param heartbeat how often an idle source is made to move on, 100 ms to 1 minute
 * @param overrides homes of columns that the source's type does not decide
 * @param schemaChanges what happens to tables whose shape changes
 * @param tls how connections are encrypted
 */
public record SourceConfig(
    String name,
    SourceType type,
    String host,
    int port,
    String database,
    String user,
    Secret password,
    List<String> include,
    List<String> exclude,
    int buckets,
    Duration heartbeat,
    ColumnOverrides overrides,
    SchemaChanges schemaChanges,
    Tls tls) {
  private static final int MAX_PORT = 65_535;
  private static final int MAX_BUCKETS = 1024;
  private static final Duration MIN_HEARTBEAT = Duration.ofMillis(100);
  private static final Duration MAX_HEARTBEAT = Duration.ofMinutes(1);

  public SourceConfig {
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
    // Checks the name, too.
    new TableName(name, "schema", "table");
    checkArgument(!host.isBlank(), "Invalid host of source %s: it is empty", name);
    checkArgument(
        port >= 1 && port <= MAX_PORT,
        "Invalid port of source %s: %s (must be 1 to %s)",
        name,
        port,
        MAX_PORT);
    checkArgument(!database.isEmpty(), "Invalid database of source %s: it is empty", name);
    checkArgument(!user.isEmpty(), "Invalid user of source %s: it is empty", name);
    checkArgument(
        !include.isEmpty(),
        "Invalid tables of source %s: there is no pattern (for all tables of a schema write public.*)",
        name);
    checkArgument(
        buckets >= 1 && buckets <= MAX_BUCKETS,
        "Invalid bucket count of source %s: %s (must be 1 to %s)",
        name,
        buckets,
        MAX_BUCKETS);
    checkArgument(
        heartbeat.compareTo(MIN_HEARTBEAT) >= 0 && heartbeat.compareTo(MAX_HEARTBEAT) <= 0,
        "Invalid heartbeat of source %s: %s ms (must be %s to %s)",
        name,
        heartbeat.toMillis(),
        MIN_HEARTBEAT.toMillis(),
        MAX_HEARTBEAT.toMillis());
    TablePatterns.of(include, exclude);
  }

  /** A source whose types decide every column's home. */
  public SourceConfig(
      String name,
      SourceType type,
      String host,
      int port,
      String database,
      String user,
      Secret password,
      List<String> include,
      List<String> exclude,
      int buckets,
      Duration heartbeat) {
    this(
        name,
        type,
        host,
        port,
        database,
        user,
        password,
        include,
        exclude,
        buckets,
        heartbeat,
        ColumnOverrides.NONE,
        SchemaChanges.FOLLOWED,
        Tls.PREFERRED);
  }

  /** The same with homes chosen for some columns. */
  public SourceConfig withOverrides(ColumnOverrides chosen) {
    return with(chosen, schemaChanges, tls);
  }

  /** The same with another choice of what happens to tables whose shape changes. */
  public SourceConfig withSchemaChanges(SchemaChanges chosen) {
    return with(overrides, chosen, tls);
  }

  /** The same with connections that are encrypted in another way. */
  public SourceConfig withTls(Tls chosen) {
    return with(overrides, schemaChanges, chosen);
  }

  private SourceConfig with(ColumnOverrides homes, SchemaChanges changes, Tls encryption) {
    return new SourceConfig(
        name,
        type,
        host,
        port,
        database,
        user,
        password,
        include,
        exclude,
        buckets,
        heartbeat,
        homes,
        changes,
        encryption);
  }

  /** Which tables to capture. */
  public TablePatterns patterns() {
    return TablePatterns.of(include, exclude);
  }

  /** {@code host:port/database}, for messages. */
  public String address() {
    return host + ":" + port + "/" + database;
  }
}
