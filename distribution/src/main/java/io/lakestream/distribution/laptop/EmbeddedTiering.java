package io.lakestream.distribution.laptop;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.BlobServerOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Flink mini cluster in this process that runs the tiering job for as long as it lives. */
final class EmbeddedTiering implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedTiering.class);
  private static final long START_LIMIT_S = 60;
  private static final long STOP_LIMIT_S = 5;

  private final MiniCluster cluster;
  private final Configuration conf;
  private final int parallelism;
  private volatile JobID job;

  private EmbeddedTiering(MiniCluster cluster, Configuration conf, int parallelism) {
    this.cluster = cluster;
    this.conf = conf;
    this.parallelism = parallelism;
  }

  /** Starts the cluster, without a job. */
  static EmbeddedTiering start(Path folder, int parallelism) {
    Configuration conf = small(folder);
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(conf)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(parallelism)
                .build());
    try {
      cluster.start();
      return new EmbeddedTiering(cluster, conf, parallelism);
    } catch (Exception e) {
      stop(cluster);
      throw failed(e, "the Flink cluster");
    }
  }

  /**
   * Submits the job.
   *
   * @param topology defines the whole job on the environment it is given
   */
  void run(Consumer<StreamExecutionEnvironment> topology) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(parallelism, conf);
    topology.accept(environment);
    JobGraph graph = environment.getStreamGraph().getJobGraph();
    try {
      cluster.submitJob(graph).get(START_LIMIT_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failed(e, "the tiering job");
    } catch (ExecutionException | TimeoutException e) {
      throw failed(e, "the tiering job");
    }
    job = graph.getJobID();
    LOG.info("Submitted tiering job: jobId={}", job);
  }

  private static LakestreamException failed(Exception e, String what) {
    return new LakestreamException(
        e, ErrorCode.INTERNAL, "Cannot start %s: %s", what, ErrorText.of(e));
  }

  private static Configuration small(Path folder) {
    Configuration conf = new Configuration();
    conf.set(RestOptions.ADDRESS, Ports.HOST);
    conf.set(RestOptions.BIND_ADDRESS, Ports.HOST);
    conf.set(RestOptions.BIND_PORT, "0");
    conf.set(CoreOptions.TMP_DIRS, folder.resolve("tmp").toString());
    conf.set(BlobServerOptions.STORAGE_DIRECTORY, folder.resolve("blob").toString());
    // Nothing here has a Kerberos token to hand on, and the code that would ask for one calls what
    // JDK 24 and newer no longer have.
    conf.set(SecurityOptions.DELEGATION_TOKENS_ENABLED, false);
    // Only reports of rounds flow through the network, and no operator has managed state.
    conf.set(TaskManagerOptions.NETWORK_MEMORY_MIN, MemorySize.ofMebiBytes(8));
    conf.set(TaskManagerOptions.NETWORK_MEMORY_MAX, MemorySize.ofMebiBytes(8));
    conf.set(TaskManagerOptions.MANAGED_MEMORY_SIZE, MemorySize.ofMebiBytes(1));
    conf.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
    conf.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF,
        Duration.ofSeconds(1));
    conf.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
        Duration.ofSeconds(30));
    conf.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_RESET_BACKOFF_THRESHOLD,
        Duration.ofMinutes(2));
    return conf;
  }

  /** INTERNAL where the job ended for good; empty while it runs or restarts. */
  Optional<LakestreamException> failure() {
    if (job == null) {
      return Optional.empty();
    }
    var result = cluster.requestJobResult(job);
    if (!result.isDone()) {
      return Optional.empty();
    }
    Throwable cause =
        result
            .handle(
                (ended, error) ->
                    error != null
                        ? error
                        : ended
                            .getSerializedThrowable()
                            .map(Throwable.class::cast)
                            .orElseGet(() -> new IllegalStateException("the job was cancelled")))
            .join();
    return Optional.of(
        new LakestreamException(
            cause, ErrorCode.INTERNAL, "The tiering job ended: %s", ErrorText.of(cause)));
  }

  // No farewell to the job: the lake's head says how far it came, and a round that was under way is
  // done again after the next start.
  @Override
  public void close() {
    stop(cluster);
  }

  private static void stop(MiniCluster cluster) {
    try {
      cluster.closeAsync().get(STOP_LIMIT_S, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.warn("Interrupted while the Flink cluster stopped");
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("The Flink cluster did not stop cleanly", e);
    }
  }
}
