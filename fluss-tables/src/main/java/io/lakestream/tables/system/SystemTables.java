package io.lakestream.tables.system;

import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.schema.TableName;
import java.util.List;
import org.apache.fluss.metadata.Schema;
import org.apache.fluss.metadata.TableDescriptor;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.types.DataField;
import org.apache.fluss.types.RowType;

/** How Lakestream's own tables in Fluss are made: one bucket each, in the system database. */
final class SystemTables {
  private SystemTables() {}

  static TablePath path(String table) {
    return TablePath.of(TableName.SYSTEM_DATABASE, table);
  }

  /** Creates a primary-key table unless it is there. */
  static TablePath ensureKeyed(
      FlussTables tables, String table, List<DataField> fields, List<String> primaryKey) {
    Schema schema =
        Schema.newBuilder().fromRowType(new RowType(fields)).primaryKey(primaryKey).build();
    return ensure(tables, table, schema);
  }

  /** Creates an append-only table unless it is there. */
  static TablePath ensureLog(FlussTables tables, String table, List<DataField> fields) {
    return ensure(tables, table, Schema.newBuilder().fromRowType(new RowType(fields)).build());
  }

  private static TablePath ensure(FlussTables tables, String table, Schema schema) {
    TablePath path = path(table);
    tables.ensureSystemTable(
        path, TableDescriptor.builder().schema(schema).distributedBy(1).build());
    return path;
  }
}
