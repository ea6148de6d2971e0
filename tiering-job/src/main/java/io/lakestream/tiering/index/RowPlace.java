package io.lakestream.tiering.index;

import java.nio.ByteBuffer;

/**
 * Where the live version of a key lies in the lake.
 *
 * @param file ordinal of the data file, see {@link BucketFiles}
 * @param position row number inside the file, 0-based
 */
public record RowPlace(int file, long position) {
  private static final int BYTES = Integer.BYTES + Long.BYTES;

  byte[] toBytes() {
    return ByteBuffer.allocate(BYTES).putInt(file).putLong(position).array();
  }

  static RowPlace of(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new RowPlace(buffer.getInt(), buffer.getLong());
  }
}
