package io.lakestream.cdc.mariadb;

/**
 * A decimal as MariaDB keeps it: groups of nine decimal digits in four bytes, the odd digits at
 * either end in as few bytes as they need; the first bit is the sign, and negative numbers have
 * every bit turned over.
 *
 * @param precision digits in all
 * @param scale digits behind the point
 */
record DecimalBytes(int precision, int scale) {
  private static final int GROUP_DIGITS = 9;
  private static final int GROUP_BYTES = 4;
  private static final int[] BYTES_OF_DIGITS = {0, 1, 1, 2, 2, 3, 3, 4, 4, 4};

  int length() {
    return length(precision - scale) + length(scale);
  }

  private static int length(int digits) {
    return digits / GROUP_DIGITS * GROUP_BYTES + BYTES_OF_DIGITS[digits % GROUP_DIGITS];
  }

  /** The number in plain notation with {@link #scale} digits behind the point. */
  String text(byte[] bytes) {
    boolean negative = (bytes[0] & 0x80) == 0;
    bytes[0] ^= (byte) 0x80;
    if (negative) {
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) ~bytes[i];
      }
    }
    ByteCursor in = new ByteCursor(bytes);
    StringBuilder digits = new StringBuilder(precision + 3);
    int whole = precision - scale;
    append(digits, in, whole % GROUP_DIGITS);
    for (int i = 0; i < whole / GROUP_DIGITS; i++) {
      append(digits, in, GROUP_DIGITS);
    }
    int zeros = 0;
    while (zeros < digits.length() - 1 && digits.charAt(zeros) == '0') {
      zeros++;
    }
    digits.delete(0, zeros);
    if (digits.isEmpty()) {
      digits.append('0');
    }
    if (scale > 0) {
      digits.append('.');
      for (int i = 0; i < scale / GROUP_DIGITS; i++) {
        append(digits, in, GROUP_DIGITS);
      }
      append(digits, in, scale % GROUP_DIGITS);
    }
    return negative && hasDigitButZero(digits) ? "-" + digits : digits.toString();
  }

  private static void append(StringBuilder text, ByteCursor in, int digits) {
    if (digits > 0) {
      String number = Long.toString(in.big(BYTES_OF_DIGITS[digits]));
      text.append("0".repeat(digits - number.length())).append(number);
    }
  }

  private static boolean hasDigitButZero(CharSequence digits) {
    return digits.chars().anyMatch(c -> c >= '1' && c <= '9');
  }
}
