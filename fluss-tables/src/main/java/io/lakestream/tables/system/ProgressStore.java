package io.lakestream.tables.system;

import static io.lakestream.tables.ddl.FlussCalls.await;

import io.lakestream.tables.ddl.FlussCalls;
import io.lakestream.tables.ddl.FlussTables;
import java.util.List;
import java.util.Optional;
import org.apache.fluss.client.lookup.Lookuper;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.types.DataField;
import org.apache.fluss.types.DataTypes;

/**
 * Named values of a source, kept in Fluss beside its tables: Debezium's offsets and what else
 * capture must find again after a restart. Durable once {@link #put} returns. For one thread.
 */
public final class ProgressStore implements AutoCloseable {
  private static final String TABLE = "progress";

  private final Table table;
  private final UpsertWriter writer;
  private final Lookuper lookuper;

  private ProgressStore(Table table) {
    this.table = table;
    this.writer = table.newUpsert().createWriter();
    this.lookuper = table.newLookup().createLookuper();
  }

  public static ProgressStore open(FlussTables tables) {
    TablePath path =
        SystemTables.ensureKeyed(
            tables,
            TABLE,
            List.of(
                new DataField("source", DataTypes.STRING().copy(false)),
                new DataField("name", DataTypes.STRING().copy(false)),
                new DataField("value", DataTypes.STRING())),
            List.of("source", "name"));
    return new ProgressStore(tables.openTable(path));
  }

  /** Reads a value; empty where none was put, or it was removed. */
  public Optional<String> find(String source, String name) {
    InternalRow row =
        await(lookuper.lookup(key(source, name)), "read progress " + name + " of " + source)
            .getSingletonRow();
    return row == null || row.isNullAt(2)
        ? Optional.empty()
        : Optional.of(row.getString(2).toString());
  }

  public void put(String source, String name, String value) {
    SystemTables.finish(
        writer,
        writer.upsert(
            GenericRow.of(
                BinaryString.fromString(source),
                BinaryString.fromString(name),
                BinaryString.fromString(value))),
        "write progress " + name + " of " + source);
  }

  public void remove(String source, String name) {
    SystemTables.finish(
        writer,
        writer.delete(
            GenericRow.of(BinaryString.fromString(source), BinaryString.fromString(name), null)),
        "remove progress " + name + " of " + source);
  }

  private static GenericRow key(String source, String name) {
    return GenericRow.of(BinaryString.fromString(source), BinaryString.fromString(name));
  }

  @Override
  public void close() {
    FlussCalls.close(table, TABLE);
  }
}
