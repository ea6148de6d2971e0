package io.lakestream.cdc.postgres;

import java.util.Locale;

/**
 * Names of a source's replication slot and publication: {@code lakestream_<source>}.
 *
 * <p>A slot name has lower-case letters, digits and underscores only, at most 63. Every other
 * character, and every underscore before an {@code x}, becomes {@code _x} and two hexadecimal
 * digits, so that two sources never share a slot; what is then too long ends in a hash of the name.
 */
final class ReplicationNames {
  private static final String PREFIX = "lakestream_";
  private static final int MAX_LENGTH = 63;

  private ReplicationNames() {}

  /** Name of both the slot and the publication. */
  static String of(String source) {
    StringBuilder name = new StringBuilder(PREFIX);
    for (int i = 0; i < source.length(); i++) {
      char c = source.charAt(i);
      boolean startsEscape = c == '_' && i + 1 < source.length() && source.charAt(i + 1) == 'x';
      if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c == '_' && !startsEscape)) {
        name.append(c);
      } else {
        name.append(String.format(Locale.ROOT, "_x%02x", (int) c));
      }
    }
    if (name.length() <= MAX_LENGTH) {
      return name.toString();
    }
    String hash = String.format(Locale.ROOT, "_%08x", source.hashCode());
    return name.substring(0, MAX_LENGTH - hash.length()) + hash;
  }
}
