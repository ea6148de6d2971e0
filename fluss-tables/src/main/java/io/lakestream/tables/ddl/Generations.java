package io.lakestream.tables.ddl;

import static io.lakestream.tables.ddl.FlussCalls.await;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.ddl.LiveTable.Generation;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.fluss.client.FlussConnection;
import org.apache.fluss.client.admin.Admin;
import org.apache.fluss.exception.DatabaseNotExistException;
import org.apache.fluss.exception.SchemaNotExistException;
import org.apache.fluss.exception.TableNotExistException;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableChange;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TableInfo;
import org.apache.fluss.metadata.TablePath;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Fluss tables that stand for one table, one after the other.
 *
 * <p>Fluss cannot change a column, so a table whose shape changes is copied into a new Fluss table
 * while the old one is read as it was. Each is a generation with a path of its own. One that is
 * created while an older one is read is <em>behind</em> until {@link #goLive}, which is one change
 * of one property: whoever looks before it finds the old generation, whoever looks after it the new
 * one. The live one is the highest that is not behind; where all are, none was ever whole, and it
 * is the highest.
 *
 * <p>Safe for many threads; one process at a time may change the generations of a table.
 */
public final class Generations {
  private static final Logger LOG = LoggerFactory.getLogger(Generations.class);
  private static final String BEHIND_PROPERTY = "lakestream.behind";
  private static final String LAST_CUT_PROPERTY = "lakestream.last-cut";
  private static final String EMPTY_DESCRIPTION = "No content to map due to end-of-input";
  private static final int LOOKS = 5;
  private static final Duration SCHEMA_PATIENCE = Duration.ofSeconds(10);

  private final Admin admin;
  private final TableCreation creation;
  private final FlussConnection connection;

  Generations(FlussConnection connection, Admin admin, TableCreation creation) {
    this.connection = connection;
    this.admin = admin;
    this.creation = creation;
  }

  /** All generations of a table but those half there, the oldest first. */
  public List<LiveTable> of(TableName name) {
    List<LiveTable> found = new ArrayList<>();
    for (TablePath path : paths(name)) {
      at(path).ifPresent(found::add);
    }
    found.sort(Comparator.comparing(table -> table.generation().number()));
    return found;
  }

  private List<TablePath> paths(TableName name) {
    try {
      return await(admin.listTables(name.source()), "list tables of " + name.source()).stream()
          .map(table -> TablePath.of(name.source(), table))
          .filter(path -> name.generationAt(path).isPresent())
          .toList();
    } catch (LakestreamException e) {
      if (e.getCause() instanceof DatabaseNotExistException) {
        return List.of();
      }
      throw e;
    }
  }

  /** The generation that is read. */
  Optional<LiveTable> live(TableName name) {
    for (int look = 1; ; look++) {
      List<TablePath> paths = paths(name);
      List<LiveTable> found = new ArrayList<>();
      paths.forEach(path -> at(path).ifPresent(found::add));
      // A generation that is listed and then gone has been replaced in between.
      if (found.size() == paths.size() || look == LOOKS) {
        return live(found);
      }
    }
  }

  /** The one of them that is read. */
  static Optional<LiveTable> live(List<LiveTable> generations) {
    return generations.stream()
        .max(
            Comparator.comparing((LiveTable table) -> !table.generation().isBehind())
                .thenComparing(table -> table.generation().number()));
  }

  /** Of the tables of many names, those that are read. */
  static List<LiveTable> live(Iterable<LiveTable> tables) {
    Map<TableName, List<LiveTable>> byName = new HashMap<>();
    tables.forEach(
        table ->
            byName
                .computeIfAbsent(table.definition().name(), name -> new ArrayList<>())
                .add(table));
    return byName.values().stream()
        .map(generations -> live(generations).orElseThrow())
        .sorted(Comparator.comparing(table -> table.definition().name()))
        .toList();
  }

  /** The Lakestream table at a path; empty where there is none, or it is only half there. */
  Optional<LiveTable> at(TablePath path) {
    try {
      return table(await(admin.getTableInfo(path), "read table " + path));
    } catch (LakestreamException e) {
      if (e.getCause() instanceof TableNotExistException) {
        return Optional.empty();
      }
      // Half dropped is a table without a schema. Half created is one that Fluss lists, cannot read
      // and takes for absent, or, for a moment, one whose description is still empty.
      if (e.getCause() instanceof SchemaNotExistException
          || String.valueOf(e.getCause().getMessage()).contains(EMPTY_DESCRIPTION)
          || !await(admin.tableExists(path), "look for table " + path)) {
        LOG.warn("Table is only half there: table={} reason={}", path, e.getMessage());
        return Optional.empty();
      }
      throw e;
    }
  }

  private static Optional<LiveTable> table(TableInfo info) {
    Map<String, String> properties = info.getCustomProperties().toMap();
    String json = properties.get(FlussTables.DEFINITION_PROPERTY);
    if (json == null) {
      return Optional.empty();
    }
    TableDefinition definition = DefinitionJson.read(json);
    int number = definition.name().generationAt(info.getTablePath()).orElse(1);
    Optional<Cut> lastCut =
        Optional.ofNullable(properties.get(LAST_CUT_PROPERTY))
            .map(text -> CutJson.read(text, info.getTableId()));
    return Optional.of(
        new LiveTable(
            definition,
            info.getTablePath(),
            info.getTableId(),
            info.getSchemaId(),
            new Generation(number, properties.containsKey(BEHIND_PROPERTY), lastCut)));
  }

  /**
   * Creates a generation unless it is there.
   *
   * @param number of the generation, above those of all that are read
   * @param behind true where an older one is to be read until {@link #goLive}
   * @throws LakestreamException INCOMPATIBLE_DEFINITION where a table is at its path that is not
   *     ours
   */
  public LiveTable create(TableDefinition definition, int number, boolean behind) {
    TablePath path = definition.name().toFluss(number);
    TableDescriptor.Builder descriptor =
        TableDescriptor.builder()
            .schema(
                Schema.newBuilder()
                    .fromRowType(definition.toFlussRowType())
                    .primaryKey(definition.primaryKey())
                    .build())
            .distributedBy(definition.buckets())
            .customProperty(FlussTables.DEFINITION_PROPERTY, DefinitionJson.write(definition));
    if (behind) {
      descriptor.customProperty(BEHIND_PROPERTY, "true");
    }
    return table(creation.create(path, descriptor.build()))
        .orElseThrow(
            () ->
                new LakestreamException(
                    ErrorCode.INCOMPATIBLE_DEFINITION,
                    "Cannot use Fluss table %s for %s: it exists and is not a Lakestream table. Drop or rename it.",
                    path,
                    definition.name()));
  }

  /** Drops a generation and creates it again without rows: another table ID, offsets from 0. */
  public LiveTable empty(LiveTable table) {
    drop(table);
    return create(table.definition(), table.generation().number(), table.generation().isBehind());
  }

  /** Makes a generation the one that is read. One change: it is there wholly, or not at all. */
  public LiveTable goLive(LiveTable table) {
    LOG.info("Table goes live: table={} path={}", table.definition().name(), table.path());
    return alter(table, List.of(TableChange.reset(BEHIND_PROPERTY)));
  }

  /** Notes the last cut that names a table: later reads are at this one. */
  public LiveTable keepLastCut(LiveTable table, Cut cut) {
    return alter(
        table, List.of(TableChange.set(LAST_CUT_PROPERTY, CutJson.write(cut, table.tableId()))));
  }

  /**
   * Adds the columns that a definition has behind those of the table. Rows that are there have NULL
   * in them. Does nothing where they are there already.
   *
   * @return empty where Fluss has the columns and its servers take no rows with them; then the
   *     definition is as it was
   */
  public Optional<LiveTable> extend(LiveTable table, TableDefinition definition) {
    int known =
        await(admin.getTableSchema(table.path()), "read table " + table.path())
            .getSchema()
            .getColumns()
            .size();
    List<TableChange> added = new ArrayList<>();
    for (Column column : definition.columns().subList(known, definition.columns().size())) {
      added.add(
          TableChange.addColumn(
              column.name(), column.type().toFluss(true), null, TableChange.ColumnPosition.last()));
    }
    // Fluss changes either columns or properties at once. The columns first: a definition never
    // names one that is not there, and a crash in between leaves columns that the next call counts.
    if (!added.isEmpty()) {
      alter(table, added);
    }
    TableInfo now = await(admin.getTableInfo(table.path()), "read table " + table.path());
    if (!new SchemaProbe(connection).isTaken(now, SCHEMA_PATIENCE)) {
      LOG.warn("Fluss takes no rows with the added columns: table={}", definition.name());
      return Optional.empty();
    }
    LOG.info("Added columns: table={} columns={}", definition.name(), added.size());
    return Optional.of(
        alter(
            table,
            List.of(
                TableChange.set(
                    FlussTables.DEFINITION_PROPERTY, DefinitionJson.write(definition)))));
  }

  private LiveTable alter(LiveTable table, List<TableChange> changes) {
    await(admin.alterTable(table.path(), changes, false), "change table " + table.path());
    return at(table.path())
        .orElseThrow(
            () ->
                new LakestreamException(
                    ErrorCode.UNKNOWN_TABLE,
                    "Cannot change Fluss table %s: it was dropped meanwhile",
                    table.path()));
  }

  /**
   * True where a table has the columns that it had when it was found. Columns are added before any
   * row has them: whoever has read rows and finds this true has read none with others.
   */
  public boolean hasSameColumns(LiveTable table) {
    return at(table.path())
        .filter(now -> now.tableId() == table.tableId() && now.schemaId() == table.schemaId())
        .isPresent();
  }

  /** Drops a generation with all of its data in Fluss; the lake table stays. */
  public void drop(LiveTable table) {
    drop(table.path());
  }

  // Fluss keeps what it cannot send for as long as it takes, and every later flush of the
  // connection
  // waits for it: rows that a failed session left behind for a table that is gone then hold up all
  // others for ever. While the table is there, they can still be sent.
  void drop(TablePath path) {
    await(
        CompletableFuture.runAsync(() -> connection.getOrCreateWriterClient().flush()),
        "send the rows that are left for table " + path);
    await(admin.dropTable(path, true), "drop table " + path);
    LOG.info("Dropped table: path={}", path);
  }

  /** Drops all generations of a table, half there or not. */
  void drop(TableName name) {
    paths(name).forEach(this::drop);
  }
}
