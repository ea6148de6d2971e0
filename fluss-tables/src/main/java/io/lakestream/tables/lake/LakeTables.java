package io.lakestream.tables.lake;

import io.lakestream.tables.ddl.DefinitionJson;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.CatalogProperties;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lake tables of one Iceberg catalog. Safe for many threads; the tables it returns are not. */
public final class LakeTables implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LakeTables.class);
  private static final String CATALOG_NAME = "lakestream";

  private final JdbcCatalog catalog;

  private LakeTables(JdbcCatalog catalog) {
    this.catalog = catalog;
  }

  /** Opens the catalog and creates its tables in the database where they are missing. */
  public static LakeTables open(LakeConfig config) {
    Map<String, String> properties = new HashMap<>();
    properties.put(CatalogProperties.URI, config.catalogUri());
    properties.put(CatalogProperties.WAREHOUSE_LOCATION, config.warehouse());
    properties.put(CatalogProperties.FILE_IO_IMPL, LocalFileIO.class.getName());
    properties.put("jdbc.schema-version", "V1");
    properties.putAll(config.properties());
    JdbcCatalog catalog = new JdbcCatalog();
    try {
      catalog.initialize(CATALOG_NAME, properties);
    } catch (RuntimeException e) {
      throw new LakestreamException(
          e, ErrorCode.LAKE_FAILED, "Cannot open the lake catalog %s: %s", config, ErrorText.of(e));
    }
    return new LakeTables(catalog);
  }

  /** Loads the lake table; empty where nothing was tiered under this name yet. */
  public Optional<Table> find(TableName name) {
    try {
      return Optional.of(catalog.loadTable(name.toIceberg()));
    } catch (NoSuchTableException e) {
      return Optional.empty();
    }
  }

  /**
   * Loads the lake table of a Fluss table that exists, creates it where it is missing, and adds
   * columns that the Fluss table got since. Where the lake holds another Fluss table of the same
   * name (it was dropped and created again), the lake table is replaced: same name, new schema, no
   * current rows; its history stays.
   */
  public Table ensure(LiveTable table) {
    TableName name = table.definition().name();
    Table lake = find(name).orElseGet(() -> create(table));
    if (holds(lake, table)) {
      return extend(lake, table.definition());
    }
    Schema schema = LakeLayout.schema(table.definition());
    catalog
        .buildTable(name.toIceberg(), schema)
        .withPartitionSpec(LakeLayout.spec(schema))
        .withProperties(LakeLayout.properties(table))
        .withLocation(lake.location())
        .replaceTransaction()
        .commitTransaction();
    LOG.info("Replaced lake table: table={} tableId={}", name, table.tableId());
    return catalog.loadTable(name.toIceberg());
  }

  // Old files have no values of the new columns, and read as NULL there, as the old rows do.
  private static Table extend(Table lake, TableDefinition definition) {
    List<Column> added =
        definition.columns().stream()
            .filter(column -> lake.schema().findField(column.name()) == null)
            .toList();
    if (added.isEmpty()) {
      return lake;
    }
    Transaction transaction = lake.newTransaction();
    UpdateSchema update = transaction.updateSchema();
    added.forEach(column -> update.addColumn(column.name(), column.type().toIceberg()));
    update.commit();
    transaction
        .updateProperties()
        .set(LakeLayout.DEFINITION_PROPERTY, DefinitionJson.write(definition))
        .commit();
    transaction.commitTransaction();
    LOG.info("Added columns to lake table: table={} columns={}", definition.name(), added.size());
    return lake;
  }

  /** True where the lake table holds the log of this very Fluss table. */
  public static boolean holds(Table lake, LiveTable table) {
    return Long.toString(table.tableId())
        .equals(lake.properties().get(LakeLayout.TABLE_ID_PROPERTY));
  }

  private Table create(LiveTable table) {
    TableIdentifier identifier = table.definition().name().toIceberg();
    Schema schema = LakeLayout.schema(table.definition());
    ensureNamespace(identifier.namespace());
    try {
      return catalog
          .buildTable(identifier, schema)
          .withPartitionSpec(LakeLayout.spec(schema))
          .withProperties(LakeLayout.properties(table))
          .create();
    } catch (AlreadyExistsException e) {
      return catalog.loadTable(identifier); // another job was first
    }
  }

  private void ensureNamespace(Namespace namespace) {
    if (!catalog.namespaceExists(namespace)) {
      try {
        catalog.createNamespace(namespace);
      } catch (RuntimeException e) {
        // Somebody else was first; the JDBC catalog then fails on its own primary key.
        if (!catalog.namespaceExists(namespace)) {
          throw e;
        }
      }
    }
  }

  @Override
  public void close() throws IOException {
    catalog.close();
  }
}
