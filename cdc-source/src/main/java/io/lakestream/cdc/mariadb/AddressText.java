package io.lakestream.cdc.mariadb;

import java.util.HexFormat;
import java.util.Locale;

/** UUIDs and network addresses as MariaDB prints them. */
final class AddressText {
  private static final int GROUPS = 8;
  private static final int GROUPS_BEFORE_IPV4 = 6;

  private AddressText() {}

  static String uuid(byte[] bytes) {
    String hex = HexFormat.of().formatHex(bytes);
    return hex.substring(0, 8)
        + '-'
        + hex.substring(8, 12)
        + '-'
        + hex.substring(12, 16)
        + '-'
        + hex.substring(16, 20)
        + '-'
        + hex.substring(20);
  }

  static String inet4(byte[] bytes) {
    return inet4(bytes, 0);
  }

  private static String inet4(byte[] bytes, int offset) {
    return String.format(
        Locale.ROOT,
        "%d.%d.%d.%d",
        bytes[offset] & 0xff,
        bytes[offset + 1] & 0xff,
        bytes[offset + 2] & 0xff,
        bytes[offset + 3] & 0xff);
  }

  /**
   * Eight groups of hexadecimal digits. The longest run of zero groups, even of one, becomes {@code
   * ::}, the first of two equally long ones; the last two groups are an IPv4 address where that run
   * is all of the first six, or of the first five before ffff.
   */
  static String inet6(byte[] bytes) {
    int[] groups = new int[GROUPS];
    for (int i = 0; i < GROUPS; i++) {
      groups[i] = ((bytes[2 * i] & 0xff) << 8) | (bytes[2 * i + 1] & 0xff);
    }
    int start = -1;
    int length = 0;
    for (int i = 0; i < GROUPS; i++) {
      int end = i;
      while (end < GROUPS && groups[end] == 0) {
        end++;
      }
      if (end - i > length) {
        start = i;
        length = end - i;
      }
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      if (i == start) {
        text.append("::");
        i += length - 1;
        continue;
      }
      if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
        text.append(':');
      }
      boolean ipv4 =
          start == 0 && (length == GROUPS_BEFORE_IPV4 || (length == 5 && groups[5] == 0xffff));
      if (i == GROUPS_BEFORE_IPV4 && ipv4) {
        return text.append(inet4(bytes, 2 * GROUPS_BEFORE_IPV4)).toString();
      }
      text.append(Integer.toHexString(groups[i]));
    }
    return text.toString();
  }
}
