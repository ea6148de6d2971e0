package io.lakestream.benchmarks.chain;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures how long a committed row takes to be seen somewhere. Each probe commits a row with a new
 * key at the source and asks for it until it is there, so a probe's time includes that of the
 * asking and the pause between two questions, 10 ms.
 */
final class LagProbe {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  // Asking without a pause would take a core from what is measured.
  private static final Duration PAUSE = Duration.ofMillis(10);

  /** A place where a row can be seen. */
  interface Place {
    /** Whether the row with this key is there now. */
    boolean has(long key) throws Exception;
  }

  private final Connection source;
  private final String insert;
  private long nextKey;

  /**
   * Prepares to insert rows.
   *
   * @param source in auto-commit mode
   * @param insert SQL with one parameter, the key
   * @param firstKey from here on no key is taken
   */
  LagProbe(Connection source, String insert, long firstKey) {
    this.source = source;
    this.insert = insert;
    this.nextKey = firstKey;
  }

  /**
   * Runs {@code probes} probes.
   *
   * @param places asked one after the other for the same row: each must be reached by a row before
   *     the next one is asked
   * @return per place the milliseconds from commit to seen
   */
  List<List<Double>> measure(int probes, Map<String, Place> places) throws Exception {
    Map<String, List<Double>> lagsMs = new LinkedHashMap<>();
    places.keySet().forEach(place -> lagsMs.put(place, new ArrayList<>()));
    for (int i = 0; i < probes; i++) {
      long key = nextKey++;
      commit(key);
      long committed = System.nanoTime();
      for (Map.Entry<String, Place> place : places.entrySet()) {
        await(place.getKey(), place.getValue(), key, committed);
        lagsMs.get(place.getKey()).add((System.nanoTime() - committed) / 1e6);
      }
    }
    return List.copyOf(lagsMs.values());
  }

  private void commit(long key) throws SQLException {
    try (PreparedStatement statement = source.prepareStatement(insert)) {
      statement.setLong(1, key);
      statement.executeUpdate();
    }
  }

  private static void await(String name, Place place, long key, long committed) throws Exception {
    while (!place.has(key)) {
      if (System.nanoTime() - committed > LIMIT.toNanos()) {
        throw new LakestreamException(
            ErrorCode.TIMEOUT,
            "A committed row was not seen in the %s within %s s",
            name,
            LIMIT.toSeconds());
      }
      Thread.sleep(PAUSE.toMillis());
    }
  }
}
