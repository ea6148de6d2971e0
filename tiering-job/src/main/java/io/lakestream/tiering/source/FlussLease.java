package io.lakestream.tiering.source;

import io.lakestream.tables.ddl.FlussTables;
import java.util.HashMap;
import java.util.Map;

/**
 * The Fluss connection that the enumerator and the readers of one JVM share: a connection is heavy
 * and takes two seconds to close. The last one that lets go closes it.
 */
final class FlussLease implements AutoCloseable {
  private static final Map<String, Shared> OPEN = new HashMap<>();

  /** A connection and how many hold it; guarded by {@link #OPEN}. */
  private static final class Shared {
    private final FlussTables tables;
    private int holders;

    private Shared(FlussTables tables) {
      this.tables = tables;
    }
  }

  private final String bootstrapServers;
  private final FlussTables tables;

  private FlussLease(String bootstrapServers, FlussTables tables) {
    this.bootstrapServers = bootstrapServers;
    this.tables = tables;
  }

  static FlussLease take(String bootstrapServers) {
    synchronized (OPEN) {
      Shared shared = OPEN.get(bootstrapServers);
      if (shared == null) {
        shared = new Shared(FlussTables.open(bootstrapServers));
        OPEN.put(bootstrapServers, shared);
      }
      shared.holders++;
      return new FlussLease(bootstrapServers, shared.tables);
    }
  }

  FlussTables tables() {
    return tables;
  }

  /** Lets go. Call once. */
  @Override
  public void close() {
    synchronized (OPEN) {
      Shared shared = OPEN.get(bootstrapServers);
      shared.holders--;
      if (shared.holders > 0) {
        return;
      }
      OPEN.remove(bootstrapServers);
    }
    tables.close();
  }
}
