package io.lakestream.cdc.decode;

/**
 * The forms in which a source's converter hands values over, whatever the database.
 *
 * <p>Per kind of column: BOOLEAN a boolean; SMALLINT and INT an int32; BIGINT an int64; FLOAT a
 * float32; DOUBLE a float64; BYTES bytes; DECIMAL the text of a plain decimal; DATE days since
 * 1970-01-01 and TIMESTAMP and TIMESTAMP_LTZ microseconds since then, as int64 or one of the
 * special values here; STRING text. A field is always optional and has no default. Where a source
 * already knows that a value has no home, it hands over a {@link NoHome} instead.
 */
public final class StreamField {
  /** Parameter of a field's schema: the column's type, see {@code SourceColumn.streamType}. */
  public static final String TYPE = "lakestream.type";

  /** Parameter of a field's schema, set where one type may become another and no text changes. */
  public static final String TEXT = "lakestream.text";

  /**
   * Parameter of a row's schema, set where changes of its table cannot be followed any more: why,
   * as the end of a sentence.
   */
  public static final String PROBLEM = "lakestream.problem";

  /** Parameter beside {@link #PROBLEM}, set where a new copy of the table mends it. */
  public static final String MENDED_BY_COPY = "lakestream.mended-by-copy";

  /** A text that an update did not touch and the source did not send. Told by identity. */
  public static final String UNCHANGED_TEXT = String.valueOf("unchanged".toCharArray());

  /** Bytes that an update did not touch and the source did not send. Told by identity. */
  public static final byte[] UNCHANGED_BYTES = {};

  /** Stands for {@code infinity}: no date or timestamp of any source is this far away. */
  public static final long INFINITY = Long.MAX_VALUE;

  /** Stands for {@code -infinity}. */
  public static final long NEGATIVE_INFINITY = Long.MIN_VALUE;

  /** Stands for a timestamp beyond what microseconds in 64 bits reach: after 294247-01-10. */
  public static final long OUT_OF_RANGE = Long.MAX_VALUE - 1;

  private StreamField() {}
}
