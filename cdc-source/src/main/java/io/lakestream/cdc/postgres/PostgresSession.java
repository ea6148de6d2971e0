package io.lakestream.cdc.postgres;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.Tls;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
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
   * Connects to a source as its user, encrypted as it is configured.
   *
   * @param more of the driver's properties
   * @param options further settings as {@code -c name=value}; may be empty
   */
  public static Connection open(SourceConfig config, Properties more, String options)
      throws SQLException {
    Properties properties = new Properties();
    more.stringPropertyNames().forEach(n -> properties.setProperty(n, more.getProperty(n)));
    properties.setProperty("user", config.user());
    properties.setProperty("password", config.password().reveal());
    tls(config.tls()).forEach(properties::setProperty);
    return open(config.host(), config.port(), config.database(), properties, options);
  }

  /** The driver's properties that encrypt. */
  static Map<String, String> tls(Tls tls) {
    Map<String, String> properties = new HashMap<>();
    properties.put("sslmode", tls.mode().text());
    if (!tls.rootCert().isEmpty()) {
      properties.put("sslrootcert", tls.rootCert());
    } else if (tls.isVerified()) {
      properties.put("sslfactory", "org.postgresql.ssl.DefaultJavaSSLFactory");
    }
    return properties;
  }

  /**
   * Connects.
   *
   * @param properties of the driver, user and password among them; {@code options} is replaced
   * @param moreOptions further settings as {@code -c name=value}; may be empty
   */
  static Connection open(
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
