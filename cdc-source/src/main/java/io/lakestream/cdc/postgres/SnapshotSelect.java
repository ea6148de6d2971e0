package io.lakestream.cdc.postgres;

import io.debezium.snapshot.spi.SnapshotQuery;
import io.lakestream.cdc.decode.CaptureContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The query of the initial copy of each table, for Debezium.
 *
 * <p>It reads dates, timestamps and the like as text: as Java objects the JDBC driver would take
 * them through the JVM's time zone and through a calendar that has no 1582-10-10, and both change
 * values.
 */
public final class SnapshotSelect implements SnapshotQuery {
  /** Name of this query in Debezium's configuration. */
  public static final String NAME = "lakestream";

  private Map<String, String> selects = Map.of();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void configure(Map<String, ?> properties) {
    selects = CaptureContext.of(properties).selects();
  }

  /** Empty for a table that is not captured: Debezium matches names without regard to case. */
  @Override
  public Optional<String> snapshotQuery(String tableId, List<String> columns) {
    return Optional.ofNullable(selects.get(tableId));
  }
}
