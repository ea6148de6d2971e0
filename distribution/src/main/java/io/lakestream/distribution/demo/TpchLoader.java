package io.lakestream.distribution.demo;

import static io.lakestream.tables.error.Checks.checkArgument;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.atomic.AtomicLong;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Loads TPC-H into schema {@code public} of a PostgreSQL database, once.
 *
 * <p>Tables, rows, foreign keys and the note that says so are one transaction: a load that was
 * broken off has left nothing, and is begun again by the next call. The note is kept in schema
 * {@code demo}, outside of what is captured.
 */
public final class TpchLoader {
  /** Tables in an order in which every row's references exist before it. */
  public static final List<String> TABLES =
      List.of("region", "nation", "part", "supplier", "partsupp", "customer", "orders", "lineitem");

  private static final int COPY_BUFFER = 64 * 1024;
  private static final int ROWS_PER_REPORT = 50_000;

  /** Hears how a load goes on. */
  @FunctionalInterface
  public interface Progress {
    /**
     * Called after each table and every {@value #ROWS_PER_REPORT} rows.
     *
     * @param rows of this table so far
     */
    void loaded(String table, long rows);
  }

  /**
   * What a load did.
   *
   * @param scale factor of the data that is there now
   * @param loaded false where it was there before
   */
  public record Outcome(double scale, boolean loaded) {}

  private final Connection connection;
  private final Progress progress;

  /**
   * @param connection owner of schema {@code public}, or superuser; used for the load only
   */
  public TpchLoader(Connection connection, Progress progress) {
    this.connection = connection;
    this.progress = progress;
  }

  /**
   * Loads the data unless it is there.
   *
   * @param scale TPC-H scale factor, greater than 0: 0.01 is 86,600 rows; empty for what is there,
   *     or else {@code defaultScale}
   * @throws LakestreamException INVALID_ARGUMENT where other data than asked for is there,
   *     SOURCE_REFUSED where the database refuses the load
   */
  public Outcome load(OptionalDouble scale, double defaultScale) {
    try {
      Optional<Double> present = loadedScale();
      if (present.isPresent()) {
        checkArgument(
            scale.isEmpty() || scale.getAsDouble() == present.get(),
            "Cannot load TPC-H at scale %s: the data folder holds scale %s. Leave out --scale, or choose another folder with --data.",
            scale.orElse(0),
            present.get());
        return new Outcome(present.get(), false);
      }
      double wanted = scale.orElse(defaultScale);
      checkArgument(
          wanted > 0 && wanted <= 1000, "Invalid --scale: %s (must be > 0 and <= 1000)", wanted);
      loadAll(wanted);
      return new Outcome(wanted, true);
    } catch (SQLException | IOException e) {
      throw new LakestreamException(
          e, ErrorCode.SOURCE_REFUSED, "Cannot load TPC-H: %s", ErrorText.of(e));
    }
  }

  private Optional<Double> loadedScale() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      try (ResultSet found = statement.executeQuery("SELECT to_regclass('demo.load') IS NULL")) {
        found.next();
        if (found.getBoolean(1)) {
          return Optional.empty();
        }
      }
      try (ResultSet load = statement.executeQuery("SELECT scale FROM demo.load")) {
        return load.next() ? Optional.of(load.getDouble(1)) : Optional.empty();
      }
    }
  }

  private void loadAll(double scale) throws SQLException, IOException {
    boolean autoCommit = connection.getAutoCommit();
    connection.setAutoCommit(false);
    boolean committed = false;
    try {
      execute(script("tables.sql"));
      TpchRows rows = new TpchRows(scale);
      for (String table : TABLES) {
        copy(table, rows);
      }
      execute(script("references.sql"));
      note(scale);
      connection.commit();
      committed = true;
    } finally {
      if (!committed) {
        connection.rollback();
      }
      connection.setAutoCommit(autoCommit);
    }
    execute("ANALYZE");
  }

  private void note(double scale) throws SQLException {
    execute("CREATE SCHEMA demo; CREATE TABLE demo.load (scale double precision PRIMARY KEY)");
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO demo.load VALUES (?)")) {
      insert.setDouble(1, scale);
      insert.executeUpdate();
    }
  }

  private void copy(String table, TpchRows data) throws SQLException {
    CopyIn copy =
        connection
            .unwrap(PGConnection.class)
            .getCopyAPI()
            .copyIn("COPY public." + table + " FROM STDIN (DELIMITER '|')");
    StringBuilder buffer = new StringBuilder(COPY_BUFFER + 1024);
    AtomicLong rows = new AtomicLong();
    try {
      data.<SQLException>forEach(
          table,
          line -> {
            buffer.append(line).append('\n');
            if (buffer.length() >= COPY_BUFFER) {
              write(copy, buffer);
            }
            if (rows.incrementAndGet() % ROWS_PER_REPORT == 0) {
              progress.loaded(table, rows.get());
            }
          });
      write(copy, buffer);
      copy.endCopy();
    } finally {
      if (copy.isActive()) {
        copy.cancelCopy();
      }
    }
    progress.loaded(table, rows.get());
  }

  private static void write(CopyIn copy, StringBuilder buffer) throws SQLException {
    byte[] bytes = buffer.toString().getBytes(StandardCharsets.UTF_8);
    copy.writeToCopy(bytes, 0, bytes.length);
    buffer.setLength(0);
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String script(String name) throws IOException {
    try (InputStream in = TpchLoader.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("resource " + name + " is missing from the build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
