package io.lakestream.distribution.query;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggests the name that a user may have meant. */
final class NearName {
  private NearName() {}

  /** The candidate nearest to what was typed; empty where none is near. */
  static Optional<String> find(String typed, Collection<String> candidates) {
    int limit = Math.max(2, typed.length() / 3);
    String lower = typed.toLowerCase(Locale.ROOT);
    return candidates.stream()
        .filter(candidate -> distance(lower, candidate.toLowerCase(Locale.ROOT)) <= limit)
        .min(
            Comparator.comparingInt(
                candidate -> distance(lower, candidate.toLowerCase(Locale.ROOT))));
  }

  // Levenshtein: insertions, deletions and replacements of one character.
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replace, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
