package io.lakestream.cdc.write;

import io.lakestream.cdc.source.TableCopy;
import io.lakestream.cdc.source.TableCopy.Seen;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.schema.KeyCodec;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.fluss.row.InternalRow;

/**
 * The keys that the stream changed while their table is copied, so that a row of the copy never
 * beats a later row of the stream. For one thread at a time.
 *
 * <p>A chunk is read at one moment. A change that it does not show was made after that moment, has
 * come through the stream before the chunk was applied, and wins; a change that it shows may still
 * have to come, and then the stream ends at the same row. What every later reading shows is
 * forgotten, so that this holds no more than the changes of one chunk's time, and those of
 * transactions that were running then.
 */
final class CopyFilter {
  private final KeyCodec keys;
  private final Map<ByteBuffer, Long> changed = new HashMap<>();
  // Set while a reading may show rows from before the table was emptied.
  private Long emptied;
  private SourcePosition position;
  private Seen seen;
  private boolean ended;

  CopyFilter(KeyCodec keys) {
    this.keys = keys;
  }

  /** Remembers a change of the row that has {@code row}'s key. */
  void changed(InternalRow row, long changeMark) {
    changed.put(key(row), changeMark);
  }

  /** Remembers that the stream emptied the table. */
  void emptied(long changeMark) {
    changed.clear();
    emptied = changeMark;
  }

  /** True where the row of a chunk may be written. */
  boolean admits(InternalRow row, Seen seen) {
    if (emptied != null && !seen.includes(emptied)) {
      return false;
    }
    Long mark = changed.get(key(row));
    return mark == null || seen.includes(mark);
  }

  /** True where the reading does not show some of the changes. */
  boolean isBehind(Seen reading) {
    return (emptied != null && !reading.includes(emptied))
        || !changed.values().stream().allMatch(reading::includes);
  }

  /** A chunk was applied: forgets the changes that every later reading shows. */
  void applied(TableCopy.Chunk chunk) {
    seen = chunk.seen();
    changed.values().removeIf(seen::isPast);
    if (emptied != null && seen.isPast(emptied)) {
      emptied = null;
    }
    if (position == null || seen.position().covers(position)) {
      position = seen.position();
    }
    ended = chunk.lastKey().isEmpty();
  }

  /** What the last chunk has seen; empty before the first. */
  Optional<Seen> seen() {
    return Optional.ofNullable(seen);
  }

  /** True where the copy is whole at a cut at {@code cut}. */
  boolean isWholeAt(SourcePosition cut) {
    return ended && cut.covers(position);
  }

  private ByteBuffer key(InternalRow row) {
    return ByteBuffer.wrap(keys.encodeRow(row));
  }
}
