package io.lakestream.cdc.mariadb;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decoders of a server's character sets. Those of one byte a character are read from the server
 * itself, because Java's of the same name differ: MariaDB's latin1 is neither ISO 8859-1 nor all of
 * Windows-1252.
 */
final class Charsets {
  private static final Map<String, Charset> UNICODE =
      Map.of(
          "utf8mb4",
          StandardCharsets.UTF_8,
          "utf8mb3",
          StandardCharsets.UTF_8,
          "utf8",
          StandardCharsets.UTF_8,
          "ucs2",
          StandardCharsets.UTF_16BE,
          "utf16",
          StandardCharsets.UTF_16BE,
          "utf16le",
          StandardCharsets.UTF_16LE,
          "utf32",
          Charset.forName("UTF-32BE"));
  private static final int BYTES_PER_CODE_POINT = 4;

  private final Map<String, TextDecoder> decoders;
  private final Map<Integer, String> names;

  private Charsets(Map<String, TextDecoder> decoders, Map<Integer, String> names) {
    this.decoders = decoders;
    this.names = names;
  }

  /** Reads them from a server. */
  static Charsets load(MariaDbSession session) {
    Map<String, TextDecoder> decoders = new HashMap<>();
    UNICODE.forEach((name, charset) -> decoders.put(name, TextDecoder.of(charset)));
    for (String name : ofOneByte(session)) {
      decoders.put(name, TextDecoder.of(codePoints(session, name)));
    }
    return new Charsets(decoders, collations(session));
  }

  /** Names of the character sets whose texts are captured. */
  static List<String> names(MariaDbSession session) {
    List<String> names = new ArrayList<>(ofOneByte(session));
    names.addAll(UNICODE.keySet());
    return names;
  }

  private static List<String> ofOneByte(MariaDbSession session) {
    return session.list(
        "list the character sets",
        "SELECT CHARACTER_SET_NAME FROM information_schema.CHARACTER_SETS"
            + " WHERE MAXLEN = 1 AND CHARACTER_SET_NAME <> 'binary'",
        row -> row.getString(1));
  }

  private static int[] codePoints(MariaDbSession session, String charset) {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 256; i++) {
      all.append(String.format("%02x", i));
    }
    byte[] utf32 =
        session.one(
            "read character set " + charset,
            "SELECT CAST(CONVERT(CONVERT(UNHEX('%s') USING %s) USING utf32) AS BINARY)"
                .formatted(all, charset),
            row -> row.getBytes(1));
    ByteCursor cursor = new ByteCursor(utf32);
    int[] codePoints = new int[256];
    for (int i = 0; i < 256; i++) {
      int codePoint = (int) cursor.big(BYTES_PER_CODE_POINT);
      // The server says '?' for a byte that stands for nothing.
      codePoints[i] = codePoint == '?' && i != '?' ? TextDecoder.NOTHING : codePoint;
    }
    return codePoints;
  }

  // Since 10.10 some collations serve several character sets, under an ID for each.
  private static Map<Integer, String> collations(MariaDbSession session) {
    Map<Integer, String> names = new HashMap<>();
    boolean hasIds =
        session.one(
            "read the catalog",
            "SELECT COUNT(*) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA ="
                + " 'information_schema' AND TABLE_NAME ="
                + " 'COLLATION_CHARACTER_SET_APPLICABILITY' AND COLUMN_NAME = 'ID'",
            row -> row.getInt(1) > 0);
    String table = hasIds ? "COLLATION_CHARACTER_SET_APPLICABILITY" : "COLLATIONS";
    session
        .list(
            "list the collations",
            "SELECT ID, CHARACTER_SET_NAME FROM information_schema." + table + " WHERE ID > 0",
            row -> Map.entry(row.getInt(1), row.getString(2)))
        .forEach(entry -> names.put(entry.getKey(), entry.getValue()));
    return names;
  }

  /** The decoder of a character set; empty for one that has none here. */
  Optional<TextDecoder> find(String charset) {
    return Optional.ofNullable(decoders.get(charset));
  }

  /** Character set of a collation by its number; {@code binary} for bytes. */
  String ofCollation(int collation) {
    return names.getOrDefault(collation, "unknown collation " + collation);
  }

  /** True where texts of a character set are captured. */
  boolean knows(String charset) {
    return decoders.containsKey(charset);
  }
}
