package io.lakestream.cdc.postgres;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.Tls;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.sql.SQLException;

/** Turns PostgreSQL's errors into one clear sentence with the way out. */
final class PostgresErrors {
  private PostgresErrors() {}

  /** An error while connecting. */
  static LakestreamException ofConnect(SourceConfig config, SQLException e) {
    if (isUnknownHost(e)) {
      return new LakestreamException(
          e,
          ErrorCode.SOURCE_UNREACHABLE,
          "Cannot reach source %s: the host name %s is not known on this machine. Check sources.%s.host, and that the name resolves here.",
          config.name(),
          config.host(),
          config.name());
    }
    if (state(e).startsWith("08") && Tls.isFailure(e)) {
      return Tls.failure(config, e, firstLine(e));
    }
    return switch (state(e)) {
      case "28P01" ->
          new LakestreamException(
              e,
              ErrorCode.SOURCE_REFUSED,
              "Cannot log in to source %s at %s: the password of user %s is wrong, or the user does not exist. Check sources.%s.user and its password.",
              config.name(),
              config.address(),
              config.user(),
              config.name());
      case "28000" ->
          new LakestreamException(
              e,
              ErrorCode.SOURCE_REFUSED,
              "Cannot log in to source %s at %s as user %s: the server refuses it (%s). Check the user, and that pg_hba.conf lets it in from this machine.",
              config.name(),
              config.address(),
              config.user(),
              firstLine(e));
      case "3D000" ->
          new LakestreamException(
              e,
              ErrorCode.SOURCE_REFUSED,
              "Cannot connect to source %s at %s: the server has no database %s. Check sources.%s.database.",
              config.name(),
              config.address(),
              config.database(),
              config.name());
      case "53300" ->
          new LakestreamException(
              e,
              ErrorCode.SOURCE_NOT_READY,
              "Cannot connect to source %s at %s: all connections of the server are in use. Raise max_connections, or close some.",
              config.name(),
              config.address());
      case "57P03" ->
          new LakestreamException(
              e,
              ErrorCode.SOURCE_NOT_READY,
              "Cannot connect to source %s at %s: the server is starting up or shutting down. Try again when it is ready.",
              config.name(),
              config.address());
      default ->
          new LakestreamException(
              e,
              ErrorCode.SOURCE_UNREACHABLE,
              "Cannot reach source %s at %s: %s. Check sources.%s.host and port, and that PostgreSQL runs and listens there.",
              config.name(),
              config.address(),
              firstLine(e),
              config.name());
    };
  }

  // Java's own message is the bare name, which the driver shows as if that were the error.
  private static boolean isUnknownHost(SQLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownHostException || cause instanceof UnresolvedAddressException) {
        return true;
      }
    }
    return false;
  }

  /** An error of a statement. */
  static LakestreamException ofStatement(SourceConfig config, String what, SQLException e) {
    String state = state(e);
    if (state.startsWith("08") || state.startsWith("57P")) {
      return new LakestreamException(
          e,
          ErrorCode.SOURCE_UNREACHABLE,
          "Cannot %s of source %s at %s: the connection is lost (%s).",
          what,
          config.name(),
          config.address(),
          firstLine(e));
    }
    return new LakestreamException(
        e,
        state.equals("42501") ? ErrorCode.SOURCE_REFUSED : ErrorCode.SOURCE_NOT_READY,
        "Cannot %s of source %s: PostgreSQL says %s (SQL state %s).",
        what,
        config.name(),
        firstLine(e),
        state);
  }

  static String state(SQLException e) {
    return e.getSQLState() == null ? "" : e.getSQLState();
  }

  static String firstLine(SQLException e) {
    String message = String.valueOf(e.getMessage()).strip();
    int end = message.indexOf('\n');
    String line = end < 0 ? message : message.substring(0, end).strip();
    line = line.replaceFirst("\\. Check that the hostname and port are correct.*", "");
    return line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
  }
}
