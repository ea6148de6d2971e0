package io.lakestream.union.read;

import java.util.Arrays;

/** A key's bytes as a map's key. Mutable, so that a look-up needs no object of its own. */
final class RowKey {
  private byte[] bytes;
  private int hash;

  RowKey(byte[] bytes) {
    set(bytes);
  }

  RowKey set(byte[] newBytes) {
    bytes = newBytes;
    hash = Arrays.hashCode(newBytes);
    return this;
  }

  int length() {
    return bytes.length;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowKey key && Arrays.equals(bytes, key.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
