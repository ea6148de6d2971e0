package io.lakestream.cdc.mariadb;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;

/** Reads the numbers and strings that binlog events consist of, front to back. */
final class ByteCursor {
  private static final int PACKED_TWO_BYTES = 252;
  private static final int PACKED_THREE_BYTES = 253;
  private static final int PACKED_EIGHT_BYTES = 254;

  private final byte[] bytes;
  private int at;

  ByteCursor(byte[] bytes) {
    this.bytes = bytes;
  }

  boolean hasMore() {
    return at < bytes.length;
  }

  int position() {
    return at;
  }

  byte[] array() {
    return bytes;
  }

  void skip(int length) {
    at += length;
  }

  int unsignedByte() {
    return bytes[at++] & 0xff;
  }

  /** Little endian, up to 8 bytes, unsigned. */
  long little(int length) {
    long value = 0;
    for (int i = 0; i < length; i++) {
      value |= (bytes[at++] & 0xffL) << (8 * i);
    }
    return value;
  }

  /** Big endian, up to 8 bytes, unsigned. */
  long big(int length) {
    long value = 0;
    for (int i = 0; i < length; i++) {
      value = (value << 8) | (bytes[at++] & 0xffL);
    }
    return value;
  }

  /** A number of 1, 3, 4 or 9 bytes, as its first byte says. */
  int packed() {
    int first = unsignedByte();
    return switch (first) {
      case PACKED_TWO_BYTES -> (int) little(2);
      case PACKED_THREE_BYTES -> (int) little(3);
      case PACKED_EIGHT_BYTES -> Math.toIntExact(little(8));
      default -> first;
    };
  }

  byte[] bytes(int length) {
    byte[] copy = Arrays.copyOfRange(bytes, at, at + length);
    at += length;
    return copy;
  }

  byte[] rest() {
    return bytes(bytes.length - at);
  }

  /** A name in UTF-8 behind its length and before a 0 byte. */
  String terminated() {
    String name = utf8(unsignedByte());
    skip(1);
    return name;
  }

  String utf8(int length) {
    String text = new String(bytes, at, length, StandardCharsets.UTF_8);
    at += length;
    return text;
  }

  /** One bit per column, the lowest bit of the first byte first. */
  BitSet bits(int count) {
    BitSet bits = BitSet.valueOf(Arrays.copyOfRange(bytes, at, at + (count + 7) / 8));
    at += (count + 7) / 8;
    bits.clear(count, Math.max(count, bits.length()));
    return bits;
  }
}
