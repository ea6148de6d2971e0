package io.lakestream.tables.system;

import static io.lakestream.tables.ddl.FlussCalls.await;

import io.lakestream.tables.ddl.FlussCalls;
import io.lakestream.tables.ddl.FlussTables;
import java.util.Comparator;
import java.util.List;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.metadata.TablePath;
import org.apache.fluss.row.BinaryString;
import org.apache.fluss.row.GenericRow;
import org.apache.fluss.row.InternalRow;
import org.apache.fluss.types.DataField;
import org.apache.fluss.types.DataTypes;

/**
 * Source records that could not be converted, kept in Fluss with the reason. Keyed by table,
 * position and row key, so that a replay counts nothing twice. For one thread.
 */
public final class Quarantine implements AutoCloseable {
  /**
   * One record.
   *
   * @param source name of the source
   * @param table {@code <schema>.<table>}
   * @param position of the record in the source's log, as the source prints it
   * @param key the row's key columns as JSON
   * @param column the column that could not be converted
   * @param reason why not
   * @param value the column's raw value as text
   */
  public record Entry(
      String source,
      String table,
      String position,
      String key,
      String column,
      String reason,
      String value) {}

  private static final String TABLE = "quarantine";
  private static final int MAX_LISTED = 100_000;

  private final FlussTables tables;
  private final TablePath path;
  private final Table table;
  private final UpsertWriter writer;

  private Quarantine(FlussTables tables, TablePath path) {
    this.tables = tables;
    this.path = path;
    this.table = tables.openTable(path);
    this.writer = table.newUpsert().createWriter();
  }

  public static Quarantine open(FlussTables tables) {
    TablePath path =
        SystemTables.ensureKeyed(
            tables,
            TABLE,
            List.of(
                new DataField("source", DataTypes.STRING().copy(false)),
                new DataField("table", DataTypes.STRING().copy(false)),
                new DataField("position", DataTypes.STRING().copy(false)),
                new DataField("key", DataTypes.STRING().copy(false)),
                new DataField("column", DataTypes.STRING()),
                new DataField("reason", DataTypes.STRING()),
                new DataField("value", DataTypes.STRING())),
            List.of("source", "table", "position", "key"));
    return new Quarantine(tables, path);
  }

  /** Keeps a record; durable on return. */
  public void put(Entry entry) {
    var written =
        writer.upsert(
            GenericRow.of(
                BinaryString.fromString(entry.source()),
                BinaryString.fromString(entry.table()),
                BinaryString.fromString(entry.position()),
                BinaryString.fromString(entry.key()),
                BinaryString.fromString(entry.column()),
                BinaryString.fromString(entry.reason()),
                BinaryString.fromString(entry.value())));
    writer.flush();
    await(written, "quarantine a record of " + entry.table());
  }

  /**
   * The records of all sources, ordered by source, table and position; not more than {@value
   * #MAX_LISTED}.
   */
  public List<Entry> list() {
    List<Entry> entries = SystemTables.list(table, MAX_LISTED, Quarantine::entry);
    entries.sort(
        Comparator.comparing(Entry::source)
            .thenComparing(Entry::table)
            .thenComparing(Entry::position));
    return entries;
  }

  private static Entry entry(InternalRow row) {
    return new Entry(
        SystemTables.text(row, 0),
        SystemTables.text(row, 1),
        SystemTables.text(row, 2),
        SystemTables.text(row, 3),
        SystemTables.text(row, 4),
        SystemTables.text(row, 5),
        SystemTables.text(row, 6));
  }

  /** Number of records of all sources. */
  public long count() {
    return tables.rowCount(path);
  }

  @Override
  public void close() {
    FlussCalls.close(table, TABLE);
  }
}
