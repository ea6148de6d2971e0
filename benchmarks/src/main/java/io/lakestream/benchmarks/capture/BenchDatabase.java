package io.lakestream.benchmarks.capture;

import io.lakestream.cdc.source.SourceType;
import java.sql.Connection;
import java.sql.SQLException;

/** A database server of the suite's own. */
interface BenchDatabase extends AutoCloseable {
  /** Name of the one database, and of its schema where the two are the same. */
  String DATABASE = "bench";

  /** The name that figures carry. */
  String label();

  SourceType type();

  int port();

  String user();

  String password();

  Connection connect() throws SQLException;

  /** {@code <schema>.<table>} as configurations spell it. */
  String qualified(String table);

  /** A query with one column {@code n}: the numbers from {@code first} to {@code last}. */
  String numbers(long first, long last);

  /** Gives back what a subject keeps in the server, for example a slot. */
  void forget(String config) throws SQLException;

  @Override
  void close();
}
