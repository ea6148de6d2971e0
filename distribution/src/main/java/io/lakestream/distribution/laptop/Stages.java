package io.lakestream.distribution.laptop;

import io.lakestream.cdc.CaptureOptions;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.distribution.config.LakeSettings;
import io.lakestream.distribution.config.SourceSettings;
import io.lakestream.distribution.health.CaptureHttp;
import io.lakestream.tables.lake.LakeConfig;
import io.lakestream.tiering.TieringConfig;
import io.lakestream.tiering.TieringJob;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** How the stages' own configurations follow from ours. */
public final class Stages {
  private Stages() {}

  /**
   * The configuration of a capture engine, password included.
   *
   * @throws io.lakestream.tables.error.LakestreamException INVALID_CONFIG where the password is not
   *     where the settings say
   */
  public static SourceConfig source(String name, SourceSettings settings) {
    return new SourceConfig(
        name,
        settings.type(),
        settings.host(),
        settings.port(),
        settings.database(),
        settings.user(),
        SourcePasswords.find(name, settings, System.getenv()),
        settings.tables(),
        settings.exclude(),
        settings.buckets(),
        settings.heartbeat(),
        settings.overrides(),
        settings.schemaChanges(),
        settings.tls());
  }

  /** How the capture engine of a source runs. */
  public static CaptureOptions options(String name, SourceSettings settings, CaptureHttp http) {
    return new CaptureOptions(settings.quarantineLimits(), http.flushes(name));
  }

  /**
   * The topology of the tiering job.
   *
   * @param indexes folder of the key indexes
   */
  static Consumer<StreamExecutionEnvironment> tiering(
      String bootstrap, LakeConfig lake, LakeSettings settings, Path indexes) {
    TieringConfig config =
        new TieringConfig(
            bootstrap,
            lake,
            settings.commitInterval(),
            settings.freshnessObjective(),
            settings.takeover(),
            indexes.toString());
    return environment -> TieringJob.define(environment, config);
  }
}
