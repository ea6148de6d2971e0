package io.lakestream.distribution.laptop;

import io.lakestream.distribution.config.LakeSettings;
import io.lakestream.tables.lake.LakeConfig;
import io.lakestream.tiering.TieringConfig;
import io.lakestream.tiering.TieringJob;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** How the stages' own configurations follow from ours. */
final class Stages {
  private Stages() {}

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
