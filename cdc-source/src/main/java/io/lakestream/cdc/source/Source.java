package io.lakestream.cdc.source;

import io.lakestream.cdc.decode.CaptureContext;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.LakestreamException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * A database to capture. What differs from one kind of database to another lies behind this
 * interface and {@link SourceConnection}; the rest of the module knows nothing else of it.
 *
 * <p>Implementations hold no resources and are safe for many threads.
 */
public interface Source {
  SourceConfig config();

  /**
   * Connects.
   *
   * @throws LakestreamException SOURCE_UNREACHABLE, SOURCE_REFUSED or SOURCE_NOT_READY, with the
   *     way out
   */
  SourceConnection connect();

  /**
   * Opens a reader of the rows that a table has now, on a connection of its own.
   *
   * @throws LakestreamException as {@link #connect} does
   */
  TableCopy copy(SourceTable table);

  /**
   * Debezium's settings for the stream alone.
   *
   * @param tables to capture; at least one
   * @param place what {@link SourceConnection#takePlace} returned
   * @param context carries objects of the session to classes that Debezium instantiates
   */
  Properties streamSettings(
      List<SourceTable> tables, Optional<String> place, CaptureContext context);

  /** Topic on which Debezium tells of the beginnings and ends of transactions. */
  String transactionTopic();

  /**
   * Position of the transaction that a record ends: a cut there holds it and all before it.
   *
   * @throws LakestreamException PROTOCOL_VIOLATION where the record names none
   */
  SourcePosition endPosition(SourceRecord end);

  /** Commit time of the transaction that a record ends. */
  Instant endTime(SourceRecord end);

  /**
   * What {@link TableCopy.Seen} tells changes apart by: the change's transaction or place in the
   * log.
   */
  long changeMark(SourceRecord change);

  /** Reads what {@link TableCopy.Seen#print} printed. */
  TableCopy.Seen parseSeen(String text);

  /** Position of one change, for messages. */
  String changePosition(SourceRecord change);

  /**
   * Position that Debezium's kept offsets stand for.
   *
   * @param offsets JSON text as Debezium writes it
   */
  SourcePosition keptPosition(String offsets);

  /** What an error of the stream's connection means. */
  LakestreamException streamFailure(SQLException e);
}
