package io.lakestream.cdc.postgres;

import io.lakestream.cdc.source.TableCopy;
import io.lakestream.tables.change.SourcePosition;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a transaction sees of the others, told by their IDs and not by positions in the log: a
 * transaction whose commit lies in the log already may still be invisible, for as long as it waits
 * for a synchronous standby.
 *
 * <p>The stream names transactions by 32 bits, a snapshot by 64: a short ID belongs to the long one
 * that is nearest to the snapshot.
 *
 * @param oldest every transaction before it has ended
 * @param next the first that had not begun
 * @param running those in between that had not ended
 * @param position at or behind every commit that is visible
 */
record XidSnapshot(long oldest, long next, Set<Long> running, SourcePosition position)
    implements TableCopy.Seen {
  private static final long EPOCH = 1L << 32;
  private static final char SEPARATOR = ' ';

  XidSnapshot {
    running = Set.copyOf(running);
  }

  /** Parses {@code xmin:xmax:xip,xip,…}. */
  static XidSnapshot parse(String text, SourcePosition position) {
    String[] parts = text.split(":", -1);
    Set<Long> running = new HashSet<>();
    if (!parts[2].isEmpty()) {
      for (String id : parts[2].split(",", -1)) {
        running.add(Long.parseLong(id));
      }
    }
    return new XidSnapshot(Long.parseLong(parts[0]), Long.parseLong(parts[1]), running, position);
  }

  /** Reads what {@link #print} printed. */
  static XidSnapshot read(String text) {
    int at = text.indexOf(SEPARATOR);
    return parse(text.substring(0, at), SourcePosition.parseLsn(text.substring(at + 1)));
  }

  @Override
  public String print() {
    String ids = running.stream().sorted().map(String::valueOf).collect(Collectors.joining(","));
    return oldest + ":" + next + ":" + ids + SEPARATOR + position.text();
  }

  @Override
  public boolean includes(long changeMark) {
    long id = longId(changeMark);
    return id < next && !running.contains(id);
  }

  @Override
  public boolean isPast(long changeMark) {
    return longId(changeMark) < oldest;
  }

  private long longId(long changeMark) {
    if (changeMark >= EPOCH) {
      return changeMark;
    }
    long id = (next & -EPOCH) | changeMark;
    if (id - next > EPOCH / 2) {
      return id - EPOCH;
    }
    return next - id > EPOCH / 2 ? id + EPOCH : id;
  }
}
