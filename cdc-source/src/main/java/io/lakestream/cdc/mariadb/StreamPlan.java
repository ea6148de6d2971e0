package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.source.SourceConfig;
import java.util.List;
import java.util.Optional;

/**
 * What a stream is to read; handed to {@link BinlogTask} through the session's context.
 *
 * @param tables that are captured
 * @param start where to begin if nothing was acknowledged yet; empty where something was
 */
record StreamPlan(SourceConfig config, List<CapturedColumns> tables, Optional<BinlogPlace> start) {
  StreamPlan {
    tables = List.copyOf(tables);
  }
}
