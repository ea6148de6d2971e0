package io.lakestream.tables.system;

import io.lakestream.tables.ddl.FlussCalls;
import io.lakestream.tables.ddl.FlussTables;
import java.time.Instant;
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
 * What capture says of each source and table: kept in Fluss, so that every process can show it. For
 * one thread.
 */
public final class StateBoard implements AutoCloseable {
  /** States of a source. */
  public enum SourceState {
    STARTING,
    SNAPSHOT,
    /**
     * Reads changes again that an engine before this one may have written: no cuts until past them.
     */
    CATCHING_UP,
    STREAMING,
    /** Lost changes of the source; nothing is written until its tables are copied anew. */
    STALE,
    FAILED,
    STOPPED
  }

  /** States of a table. */
  public enum TableState {
    SNAPSHOT,
    LIVE,
    /**
     * Is copied anew, because its shape changed or somebody asked for it; reads show what it was
     * before, until the copy is whole.
     */
    REBUILDING,
    /** Cannot be captured; the reason names what stands in the way. */
    REFUSED,
    /** Was captured and stopped; the reason says why. */
    PAUSED,
    /** Changes were lost: what it holds is from before that, and may be wrong since. */
    STALE
  }

  /**
   * One line of the board.
   *
   * @param source name of the source
   * @param table {@code <schema>.<table>}, or empty for the source itself
   * @param state name of a {@link SourceState} or {@link TableState}
   * @param reason why, for a state that needs one; otherwise empty
   * @param since when the state began, by capture's clock
   */
  public record Entry(String source, String table, String state, String reason, Instant since) {}

  private static final String TABLE = "states";
  private static final int MAX_LINES = 100_000;

  private final Table table;
  private final UpsertWriter writer;

  private StateBoard(Table table) {
    this.table = table;
    this.writer = table.newUpsert().createWriter();
  }

  public static StateBoard open(FlussTables tables) {
    TablePath path =
        SystemTables.ensureKeyed(
            tables,
            TABLE,
            List.of(
                new DataField("source", DataTypes.STRING().copy(false)),
                new DataField("table", DataTypes.STRING().copy(false)),
                new DataField("state", DataTypes.STRING()),
                new DataField("reason", DataTypes.STRING()),
                new DataField("since_ms", DataTypes.BIGINT())),
            List.of("source", "table"));
    return new StateBoard(tables.openTable(path));
  }

  public void put(String source, SourceState state, String reason) {
    put(source, "", state.name(), reason);
  }

  public void put(String source, String tableName, TableState state, String reason) {
    put(source, tableName, state.name(), reason);
  }

  private void put(String source, String tableName, String state, String reason) {
    var written =
        writer.upsert(
            GenericRow.of(
                BinaryString.fromString(source),
                BinaryString.fromString(tableName),
                BinaryString.fromString(state),
                BinaryString.fromString(reason),
                System.currentTimeMillis()));
    SystemTables.finish(writer, written, "write the state of " + source + " " + tableName);
  }

  /** Removes the line of a table. */
  public void remove(String source, String tableName) {
    var removed =
        writer.delete(
            GenericRow.of(
                BinaryString.fromString(source),
                BinaryString.fromString(tableName),
                null,
                null,
                null));
    SystemTables.finish(writer, removed, "remove the state of " + source + " " + tableName);
  }

  /** Reads the whole board, ordered by source and table; a source's own line comes first. */
  public List<Entry> list() {
    List<Entry> entries = SystemTables.list(table, MAX_LINES, StateBoard::entry);
    entries.sort(Comparator.comparing(Entry::source).thenComparing(Entry::table));
    return entries;
  }

  private static Entry entry(InternalRow row) {
    return new Entry(
        row.getString(0).toString(),
        row.getString(1).toString(),
        SystemTables.text(row, 2),
        SystemTables.text(row, 3),
        Instant.ofEpochMilli(row.isNullAt(4) ? 0 : row.getLong(4)));
  }

  @Override
  public void close() {
    FlussCalls.close(table, TABLE);
  }
}
