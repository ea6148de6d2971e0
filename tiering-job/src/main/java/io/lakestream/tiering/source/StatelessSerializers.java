package io.lakestream.tiering.source;

import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** What Flink asks of a source with splits and state, for one that has neither. */
public final class StatelessSerializers {
  /** The split type. The enumerator never assigns one. */
  public record NoSplit(String splitId) implements SourceSplit {}

  /** The enumerator's state: none. */
  public record NoState() {}

  static final SimpleVersionedSerializer<NoSplit> SPLITS = new Constant<>(new NoSplit("none"));
  static final SimpleVersionedSerializer<NoState> STATE = new Constant<>(new NoState());

  private StatelessSerializers() {}

  private record Constant<T>(T value) implements SimpleVersionedSerializer<T> {
    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(T ignored) {
      return new byte[0];
    }

    @Override
    public T deserialize(int version, byte[] serialized) {
      return value;
    }
  }
}
