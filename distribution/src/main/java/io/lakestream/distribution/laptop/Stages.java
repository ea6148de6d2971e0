package io.lakestream.distribution.laptop;

import io.lakestream.distribution.config.LakeSettings;
import io.lakestream.tables.lake.LakeConfig;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** How the stages' own configurations follow from ours. */
final class Stages {
  private Stages() {}

  /** The topology of the tiering job. */
  static Consumer<StreamExecutionEnvironment> tiering(
      String bootstrap, LakeConfig lake, LakeSettings settings, Path folder) {
    return environment ->
        environment
            .fromSource(
                new org.apache.flink.api.connector.source.lib.NumberSequenceSource(
                    0, Long.MAX_VALUE - 1),
                org.apache.flink.api.common.eventtime.WatermarkStrategy.noWatermarks(),
                "placeholder")
            .map(
                i -> {
                  Thread.sleep(100);
                  return i;
                })
            .sinkTo(new org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink<>());
  }
}
