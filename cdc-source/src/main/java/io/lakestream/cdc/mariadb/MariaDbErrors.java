package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.Tls;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.sql.SQLException;

/** Turns MariaDB's errors into one clear sentence with the way out. */
final class MariaDbErrors {
  private static final int ACCESS_DENIED = 1045;
  private static final int ACCESS_DENIED_NO_PASSWORD = 1698;
  private static final int DATABASE_ACCESS_DENIED = 1044;
  private static final int UNKNOWN_DATABASE = 1049;
  private static final int TOO_MANY_CONNECTIONS = 1040;
  private static final int PRIVILEGE_MISSING = 1227;
  private static final int TABLE_ACCESS_DENIED = 1142;
  private static final int COLUMN_ACCESS_DENIED = 1143;
  private static final int INSECURE_TRANSPORT = 3159;
  private static final int DUMP_FAILED = 1236;

  private MariaDbErrors() {}

  /** An error while connecting. */
  static LakestreamException ofConnect(SourceConfig config, SQLException e) {
    boolean insecure = e.getErrorCode() == INSECURE_TRANSPORT;
    if (insecure || (isConnectionLost(e) && Tls.isFailure(e))) {
      return Tls.failure(config, e, firstLine(e));
    }
    return switch (e.getErrorCode()) {
      case ACCESS_DENIED, ACCESS_DENIED_NO_PASSWORD ->
          new LakestreamException(
              e,
              ErrorCode.SOURCE_REFUSED,
              "Cannot log in to source %s at %s: the password of user %s is wrong, or the user does not exist for this machine. Check sources.%s.user and its password.",
              config.name(),
              config.address(),
              config.user(),
              config.name());
      case DATABASE_ACCESS_DENIED, UNKNOWN_DATABASE ->
          new LakestreamException(
              e,
              ErrorCode.SOURCE_REFUSED,
              "Cannot connect to source %s at %s: the server has no database %s that user %s may use. Check sources.%s.database, or run GRANT SELECT ON %s.* TO %s;",
              config.name(),
              config.address(),
              config.database(),
              config.user(),
              config.name(),
              MariaDbSql.quote(config.database()),
              MariaDbSql.literal(config.user()));
      case TOO_MANY_CONNECTIONS ->
          new LakestreamException(
              e,
              ErrorCode.SOURCE_NOT_READY,
              "Cannot connect to source %s at %s: all connections of the server are in use. Raise max_connections, or close some.",
              config.name(),
              config.address());
      default ->
          new LakestreamException(
              e,
              ErrorCode.SOURCE_UNREACHABLE,
              "Cannot reach source %s at %s: %s. Check sources.%s.host and port, and that MariaDB runs and listens there.",
              config.name(),
              config.address(),
              firstLine(e),
              config.name());
    };
  }

  /** An error of a statement. */
  static LakestreamException ofStatement(SourceConfig config, String what, SQLException e) {
    if (isConnectionLost(e)) {
      return new LakestreamException(
          e,
          ErrorCode.SOURCE_UNREACHABLE,
          "Cannot %s of source %s at %s: the connection is lost (%s).",
          what,
          config.name(),
          config.address(),
          firstLine(e));
    }
    boolean refused =
        switch (e.getErrorCode()) {
          case PRIVILEGE_MISSING, TABLE_ACCESS_DENIED, COLUMN_ACCESS_DENIED, ACCESS_DENIED -> true;
          default -> false;
        };
    return new LakestreamException(
        e,
        refused ? ErrorCode.SOURCE_REFUSED : ErrorCode.SOURCE_NOT_READY,
        "Cannot %s of source %s: MariaDB says %s (error %s).",
        what,
        config.name(),
        firstLine(e),
        e.getErrorCode());
  }

  /** An error that the server ended the stream of the binlog with. */
  static LakestreamException ofStream(
      SourceConfig config, Throwable cause, int errorCode, String message) {
    if (errorCode == DUMP_FAILED && message.contains("same server")) {
      return new LakestreamException(
          cause,
          ErrorCode.SOURCE_NOT_READY,
          "Cannot read the changes of source %s at %s: another replica or capture with server ID %s took our place. Give the other one another server ID, or this source another name.",
          config.name(),
          config.address(),
          CapturePlace.serverId(config.name()));
    }
    if (errorCode == DUMP_FAILED && message.contains("max_allowed_packet")) {
      return new LakestreamException(
          cause,
          ErrorCode.SOURCE_NOT_READY,
          "Cannot read the changes of source %s at %s: a change is larger than max_allowed_packet. Run SET GLOBAL max_allowed_packet = 1073741824; and keep it in the server's configuration.",
          config.name(),
          config.address());
    }
    if (errorCode == DUMP_FAILED) {
      return new LakestreamException(
          cause,
          ErrorCode.SOURCE_CHANGES_LOST,
          "Cannot go on with source %s: the server has the binlog no longer from where we are (%s), so changes since then are lost. Take a new copy of its tables: lakestream cdc resync --source %s --all",
          config.name(),
          message,
          config.name());
    }
    boolean refused = errorCode == PRIVILEGE_MISSING || errorCode == ACCESS_DENIED;
    return new LakestreamException(
        cause,
        refused ? ErrorCode.SOURCE_REFUSED : ErrorCode.SOURCE_UNREACHABLE,
        "Cannot read the changes of source %s at %s: %s%s",
        config.name(),
        config.address(),
        message,
        refused
            ? ". Run GRANT REPLICATION SLAVE ON *.* TO %s;"
                .formatted(MariaDbSql.literal(config.user()))
            : ".");
  }

  private static boolean isConnectionLost(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    // 1927: the connection was killed; 1053: the server shuts down.
    return state.startsWith("08") || e.getErrorCode() == 1927 || e.getErrorCode() == 1053;
  }

  static String firstLine(SQLException e) {
    String message = String.valueOf(e.getMessage()).strip();
    // The driver puts the connection's ID in front.
    message = message.replaceFirst("^\\(conn=\\d+\\) ", "");
    int end = message.indexOf('\n');
    String line = end < 0 ? message : message.substring(0, end).strip();
    return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
  }
}
