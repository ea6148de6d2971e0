package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.TableCopy.Seen;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * What a snapshot has seen: the transactions before its place in the binlog. In tables without
 * transactions a reading may show later changes, too; those come through the stream, and end at the
 * same row.
 */
record BinlogSeen(SourcePosition position) implements Seen {
  /** Begins a consistent snapshot in the statement's session, and tells its place. */
  static BinlogSeen begin(SourceConfig config, Statement statement) throws SQLException {
    statement.execute("START TRANSACTION WITH CONSISTENT SNAPSHOT");
    String file = "";
    String offset = "";
    try (ResultSet row = statement.executeQuery("SHOW STATUS LIKE 'binlog_snapshot_%'")) {
      while (row.next()) {
        switch (row.getString(1).toLowerCase(Locale.ROOT)) {
          case "binlog_snapshot_file" -> file = row.getString(2);
          case "binlog_snapshot_position" -> offset = row.getString(2);
          default -> {
            // The position as a GTID.
          }
        }
      }
    }
    if (file.isEmpty() || offset.isEmpty()) {
      throw new LakestreamException(
          ErrorCode.SOURCE_NOT_READY,
          "Cannot copy tables of source %s: the server does not tell at which place of its binlog a snapshot was taken.",
          config.name());
    }
    return new BinlogSeen(SourcePosition.ofBinlog(file, Long.parseLong(offset)));
  }

  @Override
  public boolean includes(long changeMark) {
    return Long.compareUnsigned(changeMark, position.ordinal()) <= 0;
  }

  @Override
  public boolean isPast(long changeMark) {
    return includes(changeMark);
  }

  @Override
  public String print() {
    return position.text();
  }
}
