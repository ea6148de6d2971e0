package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.decode.NoHome;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * From the bytes of a text to its code points, exactly: bytes that stand for nothing are a {@link
 * NoHome}, not question marks.
 */
abstract sealed class TextDecoder {
  /** Mark in a table of code points: the byte stands for nothing. */
  static final int NOTHING = -1;

  /** Decodes a text. */
  abstract Object decode(byte[] bytes, int offset, int length);

  Object decode(byte[] bytes) {
    return decode(bytes, 0, bytes.length);
  }

  /** For a charset that Java knows just as MariaDB does: the Unicode ones. */
  static TextDecoder of(Charset charset) {
    return new Unicode(charset);
  }

  /**
   * For a charset of one byte a character.
   *
   * @param codePoints one per byte
   */
  static TextDecoder of(int[] codePoints) {
    return new Table(codePoints);
  }

  private static NoHome none(byte[] bytes, int offset, int length) {
    return new NoHome(
        "bytes that are no text in the column's character set",
        "\\x" + HexFormat.of().formatHex(bytes, offset, offset + length));
  }

  private static final class Unicode extends TextDecoder {
    private static final char REPLACEMENT = '\ufffd';

    private final Charset charset;

    Unicode(Charset charset) {
      this.charset = charset;
    }

    @Override
    Object decode(byte[] bytes, int offset, int length) {
      String text = new String(bytes, offset, length, charset);
      // Java puts this character where bytes are no text; mostly there is none, and no second look.
      return text.indexOf(REPLACEMENT) < 0 ? text : decodeStrictly(bytes, offset, length);
    }

    private Object decodeStrictly(byte[] bytes, int offset, int length) {
      try {
        return charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT)
            .decode(ByteBuffer.wrap(bytes, offset, length))
            .toString();
      } catch (CharacterCodingException e) {
        return none(bytes, offset, length);
      }
    }
  }

  private static final class Table extends TextDecoder {
    private final int[] codePoints;
    private final boolean hasAscii;

    Table(int[] codePoints) {
      this.codePoints = codePoints;
      int[] plain = new int[128];
      Arrays.setAll(plain, i -> i);
      this.hasAscii = Arrays.equals(Arrays.copyOf(codePoints, 128), plain);
    }

    @Override
    Object decode(byte[] bytes, int offset, int length) {
      if (hasAscii && isAscii(bytes, offset, length)) {
        return new String(bytes, offset, length, StandardCharsets.ISO_8859_1);
      }
      StringBuilder text = new StringBuilder(length);
      for (int i = offset; i < offset + length; i++) {
        int codePoint = codePoints[bytes[i] & 0xff];
        if (codePoint == NOTHING) {
          return none(bytes, offset, length);
        }
        text.appendCodePoint(codePoint);
      }
      return text.toString();
    }

    private static boolean isAscii(byte[] bytes, int offset, int length) {
      for (int i = offset; i < offset + length; i++) {
        if (bytes[i] < 0) {
          return false;
        }
      }
      return true;
    }
  }
}
