package io.lakestream.cdc.mariadb;

import io.lakestream.cdc.decode.NoHome;
import io.lakestream.cdc.mariadb.TableMap.WireColumn;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads one value of a row in the binlog, in the form of {@link
 * io.lakestream.cdc.decode.StreamField}. Resolved once per column.
 */
abstract class CellReader {
  private static final int MICROS_DIGITS = 6;
  private static final int FIRST_YEAR = 1900;

  /** Reads a value that is not NULL. */
  abstract Object read(ByteCursor in);

  /** Moves behind a value that is not NULL. */
  abstract void skip(ByteCursor in);

  private interface Reading {
    Object read(ByteCursor in);
  }

  private static CellReader fixed(int length, Reading reading) {
    return new CellReader() {
      @Override
      Object read(ByteCursor in) {
        return reading.read(in);
      }

      @Override
      void skip(ByteCursor in) {
        in.skip(length);
      }
    };
  }

  private interface Bytes {
    Object of(byte[] bytes, int offset, int length);
  }

  private static CellReader counted(int lengthBytes, Bytes reading) {
    return new CellReader() {
      @Override
      Object read(ByteCursor in) {
        int length = Math.toIntExact(in.little(lengthBytes));
        Object value = reading.of(in.array(), in.position(), length);
        in.skip(length);
        return value;
      }

      @Override
      void skip(ByteCursor in) {
        in.skip(Math.toIntExact(in.little(lengthBytes)));
      }
    };
  }

  /**
   * The reader of a column.
   *
   * @param dataType what the catalog calls the type; tells apart what is the same in the log
   */
  static CellReader of(WireColumn column, String dataType, Charsets charsets) {
    int meta = column.meta();
    return switch (column.type()) {
      case WireType.TINY, WireType.SHORT, WireType.INT24, WireType.LONG, WireType.LONGLONG ->
          integer(column);
      case WireType.FLOAT -> fixed(4, in -> Float.intBitsToFloat((int) in.little(4)));
      case WireType.DOUBLE -> fixed(8, in -> Double.longBitsToDouble(in.little(8)));
      case WireType.NEWDECIMAL -> decimal(meta & 0xff, meta >> 8);
      case WireType.DATE, WireType.NEWDATE -> fixed(3, CellReader::date);
      case WireType.YEAR -> fixed(1, CellReader::year);
      case WireType.DATETIME2 -> fixed(5 + (meta + 1) / 2, in -> datetime(in, meta));
      case WireType.TIMESTAMP2 -> fixed(4 + (meta + 1) / 2, in -> timestamp(in, meta));
      case WireType.TIME2 -> fixed(3 + (meta + 1) / 2, in -> time(in, meta));
      case WireType.BIT -> bits((meta >> 8) * 8 + (meta & 0xff));
      case WireType.VARCHAR, WireType.VAR_STRING ->
          counted(meta < 256 ? 1 : 2, text(column, charsets));
      case WireType.BLOB -> counted(meta, text(column, charsets));
      case WireType.GEOMETRY -> counted(meta, CellReader::copy);
      case WireType.STRING -> string(column, dataType, charsets);
      case WireType.ENUM -> enumeration(column, charsets);
      case WireType.SET -> set(column, charsets);
      default -> throw new IllegalArgumentException("no reader of type " + column.type());
    };
  }

  private static CellReader integer(WireColumn column) {
    boolean unsigned = column.unsigned();
    return switch (column.type()) {
      case WireType.TINY ->
          fixed(1, in -> unsigned ? (int) in.little(1) : (int) (byte) in.little(1));
      case WireType.SHORT ->
          fixed(2, in -> unsigned ? (int) in.little(2) : (int) (short) in.little(2));
      case WireType.INT24 ->
          fixed(3, in -> unsigned ? (int) in.little(3) : ((int) in.little(3) << 8) >> 8);
      // As Objects: of a number of two types, ?: would make one.
      case WireType.LONG ->
          unsigned ? fixed(4, in -> in.little(4)) : fixed(4, in -> (int) in.little(4));
      default ->
          unsigned
              ? fixed(8, in -> Long.toUnsignedString(in.little(8)))
              : fixed(8, in -> in.little(8));
    };
  }

  private static Object date(ByteCursor in) {
    int packed = (int) in.little(3);
    return Temporals.date(packed >> 9, (packed >> 5) & 15, packed & 31);
  }

  private static Object year(ByteCursor in) {
    int year = in.unsignedByte();
    return year == 0 ? 0 : FIRST_YEAR + year;
  }

  private static int micros(ByteCursor in, int digits) {
    int bytes = (digits + 1) / 2;
    int fraction = (int) in.big(bytes);
    for (int i = bytes * 2; i < MICROS_DIGITS; i++) {
      fraction *= 10;
    }
    return fraction;
  }

  private static Object datetime(ByteCursor in, int digits) {
    long packed = in.big(5) - 0x80_0000_0000L;
    int micros = micros(in, digits);
    long day = packed >> 17;
    int yearMonth = (int) (day >> 5);
    int time = (int) (packed & 0x1ffff);
    return Temporals.datetime(
        yearMonth / 13, yearMonth % 13, (int) (day & 31), secondOfDay(time), micros, digits);
  }

  private static int secondOfDay(int time) {
    return (time >> 12) * 3600 + ((time >> 6) & 63) * 60 + (time & 63);
  }

  private static Object timestamp(ByteCursor in, int digits) {
    long seconds = in.big(4);
    int micros = micros(in, digits);
    // The server keeps 0000-00-00 00:00:00 as 0; the first real timestamp is a second later.
    return seconds == 0
        ? Temporals.datetime(0, 0, 0, 0, micros, digits)
        : (Object) (seconds * 1_000_000 + micros);
  }

  // A negative time is the complement of the positive one, the fraction included.
  private static Object time(ByteCursor in, int digits) {
    int bytes = (digits + 1) / 2;
    long packed = in.big(3 + bytes) - (0x80_0000L << (8 * bytes));
    boolean negative = packed < 0;
    long size = Math.abs(packed);
    int fraction = (int) (size & ((1L << (8 * bytes)) - 1));
    for (int i = bytes * 2; i < MICROS_DIGITS; i++) {
      fraction *= 10;
    }
    int time = (int) (size >> (8 * bytes));
    return Temporals.time(negative, secondOfDay(time), fraction, digits);
  }

  private static CellReader bits(int count) {
    int bytes = (count + 7) / 8;
    return fixed(bytes, in -> bitText(in.bytes(bytes), count));
  }

  /** The digits of a BIT(n), n of them. */
  static String bitText(byte[] bigEndian, int count) {
    String digits = new BigInteger(1, bigEndian).toString(2);
    return "0".repeat(Math.max(0, count - digits.length())) + digits;
  }

  private static Object copy(byte[] bytes, int offset, int length) {
    return Arrays.copyOfRange(bytes, offset, offset + length);
  }

  private static Bytes text(WireColumn column, Charsets charsets) {
    String charset = charsets.ofCollation(column.collation());
    if (charset.equals("binary")) {
      return CellReader::copy;
    }
    return charsets.find(charset).orElseThrow()::decode;
  }

  // The log leaves the padding out: blanks of a CHAR, which the server does not show either, and
  // zero bytes of a BINARY, which it does show.
  private static CellReader string(WireColumn column, String dataType, Charsets charsets) {
    int length = WireType.stringLength(column.meta());
    int lengthBytes = length < 256 ? 1 : 2;
    if (!charsets.ofCollation(column.collation()).equals("binary")) {
      return counted(lengthBytes, text(column, charsets));
    }
    return counted(
        lengthBytes,
        (bytes, offset, stored) -> {
          byte[] padded = Arrays.copyOf(Arrays.copyOfRange(bytes, offset, offset + stored), length);
          return switch (dataType) {
            case "uuid" -> AddressText.uuid(padded);
            case "inet6" -> AddressText.inet6(padded);
            case "inet4" -> AddressText.inet4(padded);
            default -> padded;
          };
        });
  }

  private static List<Object> labels(WireColumn column, Charsets charsets) {
    TextDecoder decoder = charsets.find(charsets.ofCollation(column.collation())).orElseThrow();
    List<Object> labels = new ArrayList<>();
    column.labels().forEach(bytes -> labels.add(decoder.decode(bytes)));
    return labels;
  }

  private static CellReader enumeration(WireColumn column, Charsets charsets) {
    int length = column.meta() & 0xff;
    List<Object> labels = labels(column, charsets);
    return fixed(
        length,
        in -> {
          int number = (int) in.little(length);
          // 0 is what the server made of a value that was none of the labels; it shows ''.
          return number == 0 ? "" : labels.get(number - 1);
        });
  }

  private static CellReader set(WireColumn column, Charsets charsets) {
    int length = column.meta() & 0xff;
    List<Object> labels = labels(column, charsets);
    return fixed(
        length,
        in -> {
          long chosen = in.little(length);
          StringBuilder text = new StringBuilder();
          for (int i = 0; i < labels.size(); i++) {
            if (((chosen >>> i) & 1) != 0) {
              if (labels.get(i) instanceof NoHome none) {
                return none;
              }
              text.append(text.isEmpty() ? "" : ",").append(labels.get(i));
            }
          }
          return text.toString();
        });
  }

  private static CellReader decimal(int precision, int scale) {
    DecimalBytes form = new DecimalBytes(precision, scale);
    return fixed(form.length(), in -> form.text(in.bytes(form.length())));
  }
}
