package io.lakestream.tiering;

import io.lakestream.tiering.source.TieringSource;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** The tiering job: front door of the module. */
public final class TieringJob {
  private static final Duration LONGEST_RESTART_PAUSE = Duration.ofSeconds(30);

  private TieringJob() {}

  /**
   * Defines the whole job: one source that does the work of all tables and gives a line of text per
   * ended round, and a sink that discards it. Needs no checkpoints and no state: it goes on from
   * what the lake holds. Unless the environment says otherwise, a failed task is restarted for ever
   * with growing pauses.
   *
   * @param env its parallelism is the number of readers
   */
  public static void define(StreamExecutionEnvironment env, TieringConfig config) {
    if (env.getConfiguration().getOptional(RestartStrategyOptions.RESTART_STRATEGY).isEmpty()) {
      Configuration restarts = new Configuration();
      restarts.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
      restarts.set(
          RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
          LONGEST_RESTART_PAUSE);
      env.configure(restarts);
    }
    env.fromSource(
            new TieringSource(config),
            WatermarkStrategy.noWatermarks(),
            "Lakestream tables",
            Types.STRING)
        .uid("lakestream-tiering")
        .sinkTo(new DiscardingSink<>())
        .name("Ended rounds");
  }
}
