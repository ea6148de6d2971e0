package io.lakestream.distribution.config;

import static io.lakestream.tables.error.Checks.checkArgument;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.lakestream.cdc.source.ColumnOverride;
import io.lakestream.cdc.source.ColumnOverrides;
import io.lakestream.cdc.source.SchemaChanges;
import io.lakestream.cdc.source.SourceType;
import io.lakestream.cdc.source.Tls;
import io.lakestream.cdc.write.QuarantineLimits;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One entry of section {@code sources}. Holds where the password is, never the password.
 *
 * @param type kind of database
 * @param host name or address of the database server
 * @param port 1 to 65535
 * @param database to capture from; empty only until {@link LakestreamConfig} has checked it
 * @param user who captures, with the rights that README names
 * @param passwordEnv name of the environment variable that holds the password, or empty
 * @param passwordFile path of the file whose first line is the password, or empty
 * @param ssl how connections are encrypted, in the words of libpq's sslmode
 * @param sslRootCert path of a PEM file with the authorities that are trusted, or empty for Java's
 * @param tables patterns {@code schema.table} of what to capture, {@code *} for any characters; at
 *     least one
 * @param exclude patterns that take away from {@code tables}
 * @param buckets Fluss buckets per table, 1 to 1024; fixed when a table is first captured
 * @param heartbeat how often an idle source moves on; at least 100 ms
 * @param schemaChange what happens to a table whose shape changes: {@code follow} copies it anew,
 *     {@code pause} waits for the user
 * @param quarantineLimit rows of a table in quarantine above which it is paused, 0 to 20000
 * @param tableSettings by {@code schema.table}, exactly as the source spells it
 */
public record SourceSettings(
    @JsonProperty("type") SourceType type,
    @JsonProperty("host") String host,
    @JsonProperty("port") int port,
    @JsonProperty("database") String database,
    @JsonProperty("user") String user,
    @JsonProperty("password-env") String passwordEnv,
    @JsonProperty("password-file") String passwordFile,
    @JsonProperty("ssl") String ssl,
    @JsonProperty("ssl-root-cert") String sslRootCert,
    @JsonProperty("tables") List<String> tables,
    @JsonProperty("exclude") List<String> exclude,
    @JsonProperty("buckets") int buckets,
    @JsonProperty("heartbeat") Duration heartbeat,
    @JsonProperty("schema-change") String schemaChange,
    @JsonProperty("quarantine-limit") int quarantineLimit,
    @JsonProperty("table-settings") Map<String, TableSettings> tableSettings) {
  private static final int MAX_PORT = 65_535;
  private static final int MAX_BUCKETS = 1024;

  public SourceSettings {
    tables = List.copyOf(tables);
    exclude = List.copyOf(exclude);
    tableSettings = Map.copyOf(tableSettings);
    checkArgument(
        port >= 1 && port <= MAX_PORT, "Invalid port: %s (must be 1 to %s)", port, MAX_PORT);
    checkArgument(!user.isBlank(), "Missing user: name the database user that captures");
    checkArgument(
        passwordEnv.isEmpty() || passwordFile.isEmpty(),
        "Invalid password: both password-env and password-file are set. Keep one.");
    checkArgument(!tables.isEmpty(), "Invalid tables: the list is empty. Remove the key for all.");
    checkArgument(
        buckets >= 1 && buckets <= MAX_BUCKETS,
        "Invalid buckets: %s (must be 1 to %s)",
        buckets,
        MAX_BUCKETS);
    new Tls(Tls.Mode.parse(ssl), sslRootCert);
    SchemaChanges.Choice.parse(schemaChange);
    checkArgument(
        heartbeat.toMillis() >= 100,
        "Invalid heartbeat: %s (must be >= 100ms)",
        DurationText.write(heartbeat));
    limits(quarantineLimit, tableSettings);
  }

  private static QuarantineLimits limits(int rows, Map<String, TableSettings> tableSettings) {
    Map<String, Integer> byTable = new HashMap<>();
    tableSettings.forEach(
        (table, settings) -> {
          if (settings.quarantineLimit() != null) {
            byTable.put(table, settings.quarantineLimit());
          }
        });
    return new QuarantineLimits(rows, byTable);
  }

  /** How many rows of a table may be in quarantine. */
  public QuarantineLimits quarantineLimits() {
    return limits(quarantineLimit, tableSettings);
  }

  @JsonCreator
  static SourceSettings parse(
      @JsonProperty("type") SourceType type,
      @JsonProperty("host") String host,
      @JsonProperty("port") Integer port,
      @JsonProperty("database") String database,
      @JsonProperty("user") String user,
      @JsonProperty("password-env") String passwordEnv,
      @JsonProperty("password-file") String passwordFile,
      @JsonProperty("ssl") String ssl,
      @JsonProperty("ssl-root-cert") String sslRootCert,
      @JsonProperty("tables") List<String> tables,
      @JsonProperty("exclude") List<String> exclude,
      @JsonProperty("buckets") Integer buckets,
      @JsonProperty("heartbeat") Duration heartbeat,
      @JsonProperty("schema-change") String schemaChange,
      @JsonProperty("quarantine-limit") Integer quarantineLimit,
      @JsonProperty("table-settings") Map<String, TableSettings> tableSettings) {
    SourceType kind = Objects.requireNonNullElse(type, SourceType.POSTGRES);
    String from = Objects.requireNonNullElse(database, "");
    return new SourceSettings(
        kind,
        Objects.requireNonNullElse(host, "127.0.0.1"),
        Objects.requireNonNullElse(port, kind.defaultPort()),
        from,
        Objects.requireNonNullElse(user, "lakestream"),
        Objects.requireNonNullElse(passwordEnv, ""),
        Objects.requireNonNullElse(passwordFile, ""),
        Objects.requireNonNullElse(ssl, Tls.PREFERRED.mode().text()),
        Objects.requireNonNullElse(sslRootCert, ""),
        Objects.requireNonNullElse(tables, kind.allTables(from)),
        Objects.requireNonNullElse(exclude, List.of()),
        Objects.requireNonNullElse(buckets, 1),
        Objects.requireNonNullElse(heartbeat, Duration.ofSeconds(1)),
        Objects.requireNonNullElse(schemaChange, SchemaChanges.Choice.FOLLOW.text()),
        Objects.requireNonNullElse(quarantineLimit, QuarantineLimits.DEFAULT.rows()),
        Objects.requireNonNullElse(tableSettings, Map.of()));
  }

  /** What happens to tables whose shape changes. */
  public SchemaChanges schemaChanges() {
    Map<String, SchemaChanges.Choice> tables = new HashMap<>();
    tableSettings.forEach(
        (table, settings) -> {
          if (!settings.schemaChange().isEmpty()) {
            tables.put(table, SchemaChanges.Choice.parse(settings.schemaChange()));
          }
        });
    return new SchemaChanges(SchemaChanges.Choice.parse(schemaChange), tables);
  }

  /** How connections are encrypted. */
  public Tls tls() {
    return new Tls(Tls.Mode.parse(ssl), sslRootCert);
  }

  /** The homes that the settings choose for columns. */
  public ColumnOverrides overrides() {
    Map<String, Map<String, ColumnOverride>> tables = new HashMap<>();
    tableSettings.forEach(
        (table, settings) ->
            settings
                .columns()
                .forEach(
                    (name, column) -> {
                      if (!column.type().isEmpty()) {
                        tables
                            .computeIfAbsent(table, none -> new HashMap<>())
                            .put(name, ColumnOverride.parse(column.type()));
                      }
                    }));
    return new ColumnOverrides(tables);
  }
}
