package io.lakestream.cdc.source;

import io.lakestream.cdc.mariadb.MariaDbSource;
import io.lakestream.cdc.postgres.PostgresSource;

/** Finds the implementation for a configured source. */
public final class Sources {
  private Sources() {}

  /** The source that a configuration describes; does not connect. */
  public static Source of(SourceConfig config) {
    return switch (config.type()) {
      case POSTGRES -> new PostgresSource(config);
      case MARIADB -> new MariaDbSource(config);
    };
  }
}
