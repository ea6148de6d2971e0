package io.lakestream.tiering;

import static org.awaitility.Awaitility.await;

import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.fixture.TableWriter;
import io.lakestream.tables.schema.TableDefinition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes to a Fluss table and keeps what it then holds: the oracle. */
public final class TableModel implements AutoCloseable {
  private final LiveTable table;
  private final TableWriter writer;
  private final Map<List<Object>, List<Object>> rows = new HashMap<>();

  private TableModel(LiveTable table, TableWriter writer) {
    this.table = table;
    this.writer = writer;
  }

  public static TableModel create(TableDefinition definition) {
    FlussTables tables = SharedFluss.tables();
    LiveTable table = tables.create(definition);
    return new TableModel(table, TableWriter.open(tables, table));
  }

  public LiveTable table() {
    return table;
  }

  public TableDefinition definition() {
    return table.definition();
  }

  public TableModel upsert(Object... values) {
    writer.upsert(values);
    List<Object> key = new ArrayList<>();
    for (int index : definition().keyIndexes()) {
      key.add(values[index]);
    }
    rows.put(key, Arrays.asList(values));
    return this;
  }

  public TableModel delete(Object... key) {
    writer.delete(key);
    rows.remove(Arrays.asList(key));
    return this;
  }

  public TableModel flush() {
    writer.flush();
    return this;
  }

  public Map<List<Object>, List<Object>> rows() {
    return rows;
  }

  /** End offset of each bucket now. */
  public Map<Integer, Long> ends() {
    return SharedFluss.tables().endOffsets(table.path(), definition().buckets());
  }

  /**
   * Drops the table. Waits a second more: Fluss 0.9.1 may never elect leaders for a table that is
   * created while it still deletes the files of another.
   */
  public void drop() {
    SharedFluss.tables().drop(definition().name());
    await()
        .pollDelay(Duration.ofSeconds(1))
        .until(() -> !SharedFluss.tables().exists(table.path()));
  }

  @Override
  public void close() {
    writer.close();
  }
}
