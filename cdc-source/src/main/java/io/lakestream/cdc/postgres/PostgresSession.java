package io.lakestream.cdc.postgres;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/**
 * Opens sessions that print every value the same way, whatever role, database, server and this
 * process's time zone say: the stream's, those of the copy, and those that verify.
 */
public final class PostgresSession {
  /** Text forms, and names in reg* types, under our settings; everybody's own rows. */
  private static final String OPTIONS =
      "-c DateStyle=ISO,MDY -c IntervalStyle=postgres -c bytea_output=hex"
          + " -c extra_float_digits=1 -c quote_all_identifiers=off -c search_path=pg_catalog"
          + " -c row_security=off";

  private PostgresSession() {}

  /**
   * Connects.
   *
   * @param properties of the driver, user and password among them; {@code options} is replaced
   * @param moreOptions further settings as {@code -c name=value}; may be empty
   */
  public static Connection open(
      String host, int port, String database, Properties properties, String moreOptions)
      throws SQLException {
    Properties all = new Properties();
    properties.stringPropertyNames().forEach(n -> all.setProperty(n, properties.getProperty(n)));
    all.setProperty("options", (OPTIONS + " " + moreOptions).strip());
    Connection connection = DriverManager.getConnection(url(host, port, database), all);
    try (Statement statement = connection.createStatement()) {
      // The driver sends the JVM's zone after the options, where it wins.
      statement.execute("SET TimeZone = 'UTC'");
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  private static String url(String host, int port, String database) {
    return "jdbc:postgresql://"
        + (host.contains(":") ? "[" + host + "]" : host)
        + ":"
        + port
        + "/"
        + URLEncoder.encode(database, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
