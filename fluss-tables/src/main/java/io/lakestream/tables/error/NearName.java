package io.lakestream.tables.error;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that was probably meant. */
public final class NearName {
  private static final int MAX_EDITS = 3;

  private NearName() {}

  /**
   * The candidate that takes the fewest edits to reach, if that is few: at most {@value #MAX_EDITS}
   * and fewer than half of the name's letters.
   */
  public static Optional<String> of(String name, Collection<String> candidates) {
    return candidates.stream()
        .min(Comparator.comparingInt((String candidate) -> edits(name, candidate)))
        .filter(candidate -> edits(name, candidate) <= MAX_EDITS)
        .filter(candidate -> 2 * edits(name, candidate) <= Math.max(name.length(), 2));
  }

  /** Levenshtein distance, without regard to case. */
  private static int edits(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        boolean same =
            Character.toLowerCase(a.charAt(i - 1)) == Character.toLowerCase(b.charAt(j - 1));
        int replaced = previous[j - 1] + (same ? 0 : 1);
        current[j] = Math.min(replaced, 1 + Math.min(previous[j], current[j - 1]));
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
