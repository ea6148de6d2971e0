package io.lakestream.cdc;

import io.lakestream.cdc.decode.RowDecoder;
import io.lakestream.cdc.decode.SelectList;
import io.lakestream.cdc.decode.UnconvertibleValueException;
import io.lakestream.cdc.write.MissingValues;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.TextForm;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.fluss.row.GenericRow;

/**
 * Asks the source for what its log did not say, on a connection of its own that opens when it is
 * needed. For one thread.
 */
final class SourceRowLookup implements MissingValues, AutoCloseable {
  private final SourceConfig config;
  private final Consumer<SourcePosition> barrier;
  private PostgresSource connection;

  /**
   * Starts without a connection.
   *
   * @param barrier receives the position before which no cut may be written
   */
  SourceRowLookup(SourceConfig config, Consumer<SourcePosition> barrier) {
    this.config = config;
    this.barrier = barrier;
  }

  @Override
  public void fill(SourceTable table, GenericRow row, BitSet columns)
      throws UnconvertibleValueException {
    List<Integer> wanted = columns.stream().boxed().toList();
    Object[] key =
        table.definition().primaryKey().stream()
            .map(
                name -> {
                  int index = table.definition().indexOf(name);
                  ColumnType type = table.definition().columns().get(index).type();
                  return TextForm.print(type, type.readFluss(row, index));
                })
            .toArray();
    Object[] values =
        source()
            .one(
                "read a row of " + table.display(),
                SelectList.oneRow(table, wanted),
                result -> {
                  Object[] found = new Object[wanted.size()];
                  for (int i = 0; i < found.length; i++) {
                    Column column = table.definition().columns().get(wanted.get(i));
                    found[i] =
                        column.type().kind() == ColumnType.Kind.BYTES
                            ? result.getBytes(i + 1)
                            : result.getString(i + 1);
                  }
                  return found;
                },
                key);
    barrier.accept(source().currentPosition());
    if (values == null) {
      return;
    }
    for (int i = 0; i < values.length; i++) {
      Column column = table.definition().columns().get(wanted.get(i));
      row.setField(wanted.get(i), RowDecoder.decodeLongValue(column, values[i]));
    }
  }

  /** Reads a table from the catalog as it is now; empty where it cannot be captured any more. */
  Optional<SourceTable> current(SourceTable table) {
    return source().discover().tables().stream()
        .filter(found -> found.definition().name().equals(table.definition().name()))
        .findFirst();
  }

  private PostgresSource source() {
    if (connection == null) {
      connection = PostgresSource.open(config);
    }
    return connection;
  }

  @Override
  public void close() throws LakestreamException {
    if (connection != null) {
      connection.close();
    }
  }
}
