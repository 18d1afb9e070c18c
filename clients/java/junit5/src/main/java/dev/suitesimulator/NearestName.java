package dev.suitesimulator;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Suggests the intended name for an unknown one. */
final class NearestName {
  /** Maximum characters of a name that is compared. */
  private static final int LONGEST = 100;

  private NearestName() {}

  /** Returns the nearest known name, in which at most a third of the letters differ. */
  static Optional<String> of(String written, Collection<String> known) {
    if (written.length() > LONGEST) return Optional.empty();
    String nearest = null;
    int fewest = Integer.MAX_VALUE;
    for (String name : known) {
      int edits = editDistance(plain(written), plain(name));
      if (edits >= fewest || edits > Math.max(1, name.length() / 3)) continue;
      nearest = name;
      fewest = edits;
    }
    return Optional.ofNullable(nearest);
  }

  private static String plain(String name) {
    return name.replaceAll("[_-]", "").toLowerCase(Locale.ROOT);
  }

  /** Returns the number of inserted, deleted and replaced characters between two texts. */
  private static int editDistance(String one, String other) {
    int[] last = new int[other.length() + 1];
    for (int column = 0; column < last.length; column++) last[column] = column;
    for (int row = 1; row <= one.length(); row++) {
      int[] next = new int[last.length];
      next[0] = row;
      for (int column = 1; column < last.length; column++) {
        int replaced = last[column - 1] + (one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1);
        next[column] = Math.min(replaced, Math.min(next[column - 1], last[column]) + 1);
      }
      last = next;
    }
    return last[other.length()];
  }
}
