package io.lakestream.cdc.postgres;

import io.debezium.jdbc.JdbcConfiguration;
import io.debezium.jdbc.JdbcConnection.ConnectionFactory;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;

/**
 * Opens Debezium's connections, so that every value of the stream arrives as the text that
 * PostgreSQL sent.
 *
 * <p>Sessions print as {@link PostgresSession} says. And where Debezium reads the catalog's types,
 * it is told that each is an enum: of those it takes the text as it is, while it would parse and
 * rebuild others (geometry and money through double, intervals, arrays), and leave out types it
 * does not know. It also fails on an enum without labels, and mistakes types of equal name in
 * different schemas for one another; both end here, too.
 */
public final class StreamConnections implements ConnectionFactory {
  private static final String TYPES_FROM = "FROM pg_catalog.pg_type t ";

  // Debezium looks types up by their name alone. What is text for us is given for a domain of text:
  // for the elements of an array, for example, Debezium would prepare a converter of its own.
  private static final String TYPES =
      """
      SELECT t.oid AS oid,
        CASE WHEN n.nspname = 'pg_catalog' OR (t.typname ~ '^[A-Za-z_][A-Za-z0-9_]*$'
            AND t.typname NOT IN ('serial', 'smallserial', 'bigserial')
            AND NOT EXISTS (SELECT FROM pg_catalog.pg_type other
              WHERE other.typname = t.typname AND other.oid < t.oid))
          THEN t.typname ELSE 'type_' || t.oid END AS name,
        0 AS element, CASE WHEN t.typbasetype <> 0 THEN t.typbasetype
          WHEN t.oid IN (%s) THEN 0 ELSE %s END AS parentoid,
        t.typtypmod AS modifiers,
        'E' AS category, '{}'::text[] AS enum_values
      """
          .formatted(
              PostgresOids.ROOTS.stream().map(String::valueOf).collect(Collectors.joining(", ")),
              PostgresOids.TEXT);

  @Override
  public Connection connect(JdbcConfiguration config) throws SQLException {
    Connection connection =
        PostgresSession.open(
            config.getHostname(),
            config.getPort(),
            config.getDatabase(),
            config.asProperties(),
            "");
    return (Connection)
        wrap(
            Connection.class,
            connection,
            (proxy, method, arguments) -> {
              if (arguments != null && arguments.length > 0 && arguments[0] instanceof String sql) {
                arguments[0] = rewrite(sql);
              }
              Object result = call(connection, method, arguments);
              return result instanceof Statement statement && !(result instanceof PreparedStatement)
                  ? statement(statement)
                  : result;
            });
  }

  private static Statement statement(Statement statement) {
    return (Statement)
        wrap(
            Statement.class,
            statement,
            (proxy, method, arguments) -> {
              if (method.getName().equals("executeQuery")) {
                arguments[0] = rewrite((String) arguments[0]);
              }
              return call(statement, method, arguments);
            });
  }

  static String rewrite(String sql) {
    int from = sql.indexOf(TYPES_FROM);
    return from >= 0 && sql.contains("enum_values") ? TYPES + sql.substring(from) : sql;
  }

  private static Object wrap(Class<?> type, Object target, InvocationHandler handler) {
    return Proxy.newProxyInstance(
        target.getClass().getClassLoader(), new Class<?>[] {type}, handler);
  }

  private static Object call(Object target, java.lang.reflect.Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
