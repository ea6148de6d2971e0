package io.lakestream.benchmarks;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures how long a committed change of one row takes to be seen somewhere. Each probe commits a
 * new value at the source and asks until the value is there, so a probe's time includes that of the
 * asking.
 */
final class LagProbe {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** A place where the row can be read. */
  interface Place {
    /** The row's value now, or an empty string where there is none. */
    String read() throws Exception;
  }

  private final Connection source;
  private final String update;
  private int next;

  /**
   * Prepares to change one row.
   *
   * @param source in auto-commit mode
   * @param update SQL with one parameter, the new value
   */
  LagProbe(Connection source, String update) {
    this.source = source;
    this.update = update;
  }

  /**
   * Runs {@code probes} probes.
   *
   * @param places asked one after the other for the same change: each must be reached by a change
   *     before the next one is asked
   * @return per place the milliseconds from commit to seen
   */
  List<List<Double>> measure(int probes, List<Place> places) throws Exception {
    List<List<Double>> lagsMs = new ArrayList<>();
    places.forEach(place -> lagsMs.add(new ArrayList<>()));
    for (int i = 0; i < probes; i++) {
      String value = "probe " + next++;
      commit(value);
      long committed = System.nanoTime();
      for (int p = 0; p < places.size(); p++) {
        await(places.get(p), value, committed);
        lagsMs.get(p).add((System.nanoTime() - committed) / 1e6);
      }
    }
    return lagsMs;
  }

  private void commit(String value) throws SQLException {
    try (PreparedStatement statement = source.prepareStatement(update)) {
      statement.setString(1, value);
      int rows = statement.executeUpdate();
      if (rows != 1) {
        throw new SQLException("The probe changed " + rows + " rows instead of 1");
      }
    }
  }

  private static void await(Place place, String value, long committed) throws Exception {
    while (!place.read().equals(value)) {
      if (System.nanoTime() - committed > LIMIT.toNanos()) {
        throw new LakestreamException(
            ErrorCode.TIMEOUT, "A change was not seen within %s s", LIMIT.toSeconds());
      }
    }
  }
}
