package io.lakestream.cdc.mariadb;

import java.util.Locale;

/**
 * What makes a capture the only one of its source on a server: a lock that its connection holds,
 * and a server ID by which the server knows it among its replicas.
 */
final class CapturePlace {
  private static final String PREFIX = "lakestream_";
  private static final int MAX_LOCK_NAME = 64;
  private static final long FIRST_SERVER_ID = 0x4000_0000L;
  private static final int SERVER_ID_MASK = 0x3fff_ffff;

  private CapturePlace() {}

  /** Name for GET_LOCK; the server does not tell upper case from lower case there. */
  static String lock(String source) {
    String hash = String.format(Locale.ROOT, "_%08x", hash(source));
    String name = PREFIX + source;
    return name.substring(0, Math.min(name.length(), MAX_LOCK_NAME - hash.length())) + hash;
  }

  /**
   * From 1073741824 to 2147483647, by the source's name: far from what people give their replicas.
   */
  static long serverId(String source) {
    return FIRST_SERVER_ID + (hash(source) & SERVER_ID_MASK);
  }

  // FNV-1a: the same on every machine and in every version.
  private static int hash(String source) {
    int hash = 0x811c9dc5;
    for (int i = 0; i < source.length(); i++) {
      hash = (hash ^ source.charAt(i)) * 0x01000193;
    }
    return hash;
  }
}
