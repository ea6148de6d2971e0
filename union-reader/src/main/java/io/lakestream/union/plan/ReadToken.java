package io.lakestream.union.plan;

import static io.lakestream.tables.error.Checks.checkArgument;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableName;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * What a read reads: the same token gives the same rows for as long as its lake snapshot and the
 * log behind it are kept, and a clear error after that. One printable word, so it can be handed to
 * another process.
 *
 * @param table that is read
 * @param tableId Fluss table ID: a table that was dropped and created again is another one
 * @param schemaId Fluss schema ID
 * @param lakeSnapshotId Iceberg snapshot ID; empty where the stream tail starts at offset 0
 * @param stopOffsets log offset per bucket, exclusive, in the order of buckets
 */
public record ReadToken(
    TableName table,
    long tableId,
    int schemaId,
    OptionalLong lakeSnapshotId,
    List<Long> stopOffsets) {
  private static final String VERSION = "read1";
  private static final String NO_SNAPSHOT = "-";
  private static final int PARTS = 8;

  public ReadToken {
    stopOffsets = List.copyOf(stopOffsets);
    checkArgument(
        stopOffsets.stream().allMatch(stop -> stop >= 0),
        "Invalid stop offsets: %s (each must be >= 0)",
        stopOffsets);
  }

  /** Prints the token: printable ASCII without blanks. */
  public String print() {
    return String.join(
        ":",
        VERSION,
        encode(table.source()),
        encode(table.schema()),
        encode(table.table()),
        Long.toString(tableId),
        Integer.toString(schemaId),
        lakeSnapshotId.isPresent() ? Long.toString(lakeSnapshotId.getAsLong()) : NO_SNAPSHOT,
        stopOffsets.stream().map(String::valueOf).collect(Collectors.joining(",")));
  }

  /** Parses what {@link #print} printed. Throws INVALID_ARGUMENT on anything else. */
  public static ReadToken parse(String text) {
    String[] parts = text.split(":", -1);
    checkArgument(
        parts.length == PARTS && parts[0].equals(VERSION),
        "Invalid read token: '%s' (must be what a read plan printed)",
        text);
    try {
      return new ReadToken(
          new TableName(decode(parts[1]), decode(parts[2]), decode(parts[3])),
          Long.parseLong(parts[4]),
          Integer.parseInt(parts[5]),
          parts[6].equals(NO_SNAPSHOT)
              ? OptionalLong.empty()
              : OptionalLong.of(Long.parseLong(parts[6])),
          Arrays.stream(parts[7].split(",", -1)).map(Long::valueOf).toList());
    } catch (IllegalArgumentException e) {
      throw new LakestreamException(
          e,
          ErrorCode.INVALID_ARGUMENT,
          "Invalid read token: '%s' (must be what a read plan printed)",
          text);
    }
  }

  private static String encode(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  private static String decode(String name) {
    return URLDecoder.decode(name, StandardCharsets.UTF_8);
  }

  @Override
  public String toString() {
    return print();
  }
}
