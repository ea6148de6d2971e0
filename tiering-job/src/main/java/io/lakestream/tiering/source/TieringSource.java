package io.lakestream.tiering.source;

import io.lakestream.tiering.TieringConfig;
import io.lakestream.tiering.source.StatelessSerializers.NoSplit;
import io.lakestream.tiering.source.StatelessSerializers.NoState;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * The one source of the tiering job, for all tables.
 *
 * <p>It has no splits and no state: a bucket belongs to the reader that its hash names, the
 * enumerator plans rounds from what the lake holds and hands them out as events. So a checkpoint
 * has nothing to keep, and a job without any goes on from the lake just as well.
 */
public final class TieringSource implements Source<String, NoSplit, NoState> {
  private final TieringConfig config;

  public TieringSource(TieringConfig config) {
    this.config = config;
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.CONTINUOUS_UNBOUNDED;
  }

  @Override
  public SourceReader<String, NoSplit> createReader(SourceReaderContext context) {
    return new TieringReader(config, context);
  }

  @Override
  public SplitEnumerator<NoSplit, NoState> createEnumerator(
      SplitEnumeratorContext<NoSplit> context) {
    return new TieringEnumerator(config, context);
  }

  @Override
  public SplitEnumerator<NoSplit, NoState> restoreEnumerator(
      SplitEnumeratorContext<NoSplit> context, NoState checkpoint) {
    return new TieringEnumerator(config, context);
  }

  @Override
  public SimpleVersionedSerializer<NoSplit> getSplitSerializer() {
    return StatelessSerializers.SPLITS;
  }

  @Override
  public SimpleVersionedSerializer<NoState> getEnumeratorCheckpointSerializer() {
    return StatelessSerializers.STATE;
  }
}
