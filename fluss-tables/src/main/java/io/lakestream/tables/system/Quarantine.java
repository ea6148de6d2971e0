package io.lakestream.tables.system;

import io.lakestream.tables.ddl.FlussCalls;
import io.lakestream.tables.ddl.FlussTables;
import java.util.Collection;
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
 * Rows of sources that the view lacks because a value of theirs has no exact home, kept in Fluss
 * with the reason. One entry per row, whatever brought it and however often: the newest counts. For
 * one thread.
 */
public final class Quarantine implements AutoCloseable {
  /**
   * One row.
   *
   * @param source name of the source
   * @param table {@code <schema>.<table>}
   * @param position in the source's log of the change that brought the row, as the source prints
   *     it; says so where the row was read by a copy or by a retry
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

  private static final String TABLE = "quarantined_rows";
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
                new DataField("key", DataTypes.STRING().copy(false)),
                new DataField("position", DataTypes.STRING()),
                new DataField("column", DataTypes.STRING()),
                new DataField("reason", DataTypes.STRING()),
                new DataField("value", DataTypes.STRING())),
            List.of("source", "table", "key"));
    return new Quarantine(tables, path);
  }

  /** Keeps a row; durable on return. */
  public void put(Entry entry) {
    put(List.of(entry));
  }

  /** Keeps rows, in place of what was kept of each; durable on return. */
  public void put(Collection<Entry> entries) {
    SystemTables.finish(
        writer,
        entries.stream()
            .map(
                entry ->
                    writer.upsert(
                        GenericRow.of(
                            BinaryString.fromString(entry.source()),
                            BinaryString.fromString(entry.table()),
                            BinaryString.fromString(entry.key()),
                            BinaryString.fromString(entry.position()),
                            BinaryString.fromString(entry.column()),
                            BinaryString.fromString(entry.reason()),
                            BinaryString.fromString(entry.value()))))
            .toList(),
        "put rows into quarantine");
  }

  /**
   * Forgets rows of one table; durable on return.
   *
   * @param keys as {@link Entry#key} has them
   */
  public void remove(String source, String tableName, Collection<String> keys) {
    SystemTables.finish(
        writer,
        keys.stream()
            .map(
                key ->
                    writer.delete(
                        GenericRow.of(
                            BinaryString.fromString(source),
                            BinaryString.fromString(tableName),
                            BinaryString.fromString(key),
                            null,
                            null,
                            null,
                            null)))
            .toList(),
        "take rows of " + tableName + " out of quarantine");
  }

  /**
   * The rows of all sources, ordered by source, table and key; not more than {@value #MAX_LISTED}.
   */
  public List<Entry> list() {
    List<Entry> entries = SystemTables.list(table, MAX_LISTED, Quarantine::entry);
    entries.sort(
        Comparator.comparing(Entry::source).thenComparing(Entry::table).thenComparing(Entry::key));
    return entries;
  }

  private static Entry entry(InternalRow row) {
    return new Entry(
        SystemTables.text(row, 0),
        SystemTables.text(row, 1),
        SystemTables.text(row, 3),
        SystemTables.text(row, 2),
        SystemTables.text(row, 4),
        SystemTables.text(row, 5),
        SystemTables.text(row, 6));
  }

  /** Number of rows of all sources. */
  public long count() {
    return tables.rowCount(path);
  }

  @Override
  public void close() {
    FlussCalls.close(table, TABLE);
  }
}
