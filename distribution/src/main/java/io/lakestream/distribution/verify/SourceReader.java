package io.lakestream.distribution.verify;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads rows of a source as the texts that the server itself prints, in the form of {@link
 * io.lakestream.tables.schema.TextForm}. Needs SELECT on the tables, nothing more. Rows pass one
 * after the other, however many there are. For one thread.
 *
 * <p>All methods throw LakestreamException SOURCE_UNREACHABLE.
 */
public interface SourceReader extends AutoCloseable {
  /** Connects. */
  static SourceReader open(SourceConfig config) {
    try {
      return switch (config.type()) {
        case POSTGRES -> PostgresReader.connect(config);
        case MARIADB -> MariaDbReader.connect(config);
      };
    } catch (SQLException e) {
      throw new LakestreamException(
          e,
          ErrorCode.SOURCE_UNREACHABLE,
          "Cannot connect to source %s at %s as %s: %s",
          config.name(),
          config.address(),
          config.user(),
          ErrorText.of(e));
    }
  }

  /** Fixes what all reads see until {@link #endSnapshot}: everything committed before this call. */
  void beginSnapshot();

  void endSnapshot();

  /** Number of rows of a table. */
  long count(TableName table);

  /**
   * Reads a whole table, in any order.
   *
   * @param rows takes one text per column, null for NULL
   */
  void readAll(TableDefinition table, Consumer<String[]> rows);

  /**
   * Reads the rows with given keys, in any order. Where the source takes different texts for equal,
   * rows with such a key may come, too.
   *
   * @param keys values as text, in the order of the primary key
   */
  void readKeys(TableDefinition table, Collection<List<String>> keys, Consumer<String[]> rows);

  @Override
  void close();
}
