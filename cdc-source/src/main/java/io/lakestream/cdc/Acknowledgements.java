package io.lakestream.cdc;

import io.lakestream.cdc.source.TableCopy.Seen;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;
import java.util.Set;

/**
 * Ends of transactions that are durable in Fluss and wait for the source to be told.
 *
 * <p>While a table is copied, only memory tells which of its rows the stream has changed. So an end
 * waits until every later reading of the table shows the changes before it: after a crash the
 * source sends the others again. For one thread at a time.
 */
final class Acknowledgements<T> {
  private record Waiting<T>(T end, Set<Long> marks) {}

  private final Deque<Waiting<T>> waiting = new ArrayDeque<>();
  private Set<Long> marksWithoutEnd = Set.of();

  /**
   * Adds what a batch brought.
   *
   * @param end of its last transaction that is durable; empty where it has none
   * @param marks of its changes to tables that are copied
   */
  void add(Optional<T> end, Set<Long> marks) {
    Set<Long> all = new java.util.HashSet<>(marksWithoutEnd);
    all.addAll(marks);
    if (end.isPresent()) {
      waiting.add(new Waiting<>(end.get(), all));
      marksWithoutEnd = Set.of();
    } else {
      marksWithoutEnd = all;
    }
  }

  /**
   * Takes the last end that the source may be told of now.
   *
   * @param copies what the last chunk of each table has seen that is still copied; a table without
   *     any chunk yet has seen nothing
   */
  Optional<T> take(Collection<Optional<Seen>> copies) {
    Optional<T> last = Optional.empty();
    while (!waiting.isEmpty() && mayPass(waiting.peek().marks(), copies)) {
      last = Optional.of(waiting.remove().end());
    }
    return last;
  }

  private static boolean mayPass(Set<Long> marks, Collection<Optional<Seen>> copies) {
    return copies.stream()
        .allMatch(
            seen ->
                marks.isEmpty()
                    || (seen.isPresent() && marks.stream().allMatch(seen.get()::isPast)));
  }
}
