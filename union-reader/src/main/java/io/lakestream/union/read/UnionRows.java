package io.lakestream.union.read;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterator;

/**
 * The rows of one read: first those of the lake that the tail leaves as they are, then those of the
 * tail. Each row once, in no order that a caller may rely on.
 *
 * <p>Either all rows come, or {@code hasNext} or {@code next} throws a {@link
 * io.lakestream.tables.error.LakestreamException}. For one thread. Closing it early is fine and
 * frees everything; reading to the end frees it too.
 */
public final class UnionRows implements CloseableIterator<Record> {
  private final Schema schema;
  private final Function<RuntimeException, RuntimeException> translate;
  private CloseableIterator<Record> lake;
  private Iterator<Record> tail;
  private long remaining;

  UnionRows(
      Schema schema,
      CloseableIterator<Record> lake,
      Iterator<Record> tail,
      long limit,
      Function<RuntimeException, RuntimeException> translate) {
    this.schema = schema;
    this.lake = lake;
    this.tail = tail;
    this.remaining = limit;
    this.translate = translate;
  }

  /** Schema of the rows: the columns asked for, in that order. Known without any row. */
  public Schema schema() {
    return schema;
  }

  @Override
  public boolean hasNext() {
    if (remaining > 0 && (lakeHasNext() || tail.hasNext())) {
      return true;
    }
    close();
    return false;
  }

  @Override
  public Record next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    remaining--;
    return lakeHasNext() ? lake.next() : tail.next();
  }

  private boolean lakeHasNext() {
    try {
      return lake.hasNext();
    } catch (RuntimeException e) {
      throw failed(e);
    }
  }

  // Closed before the error goes out: a caller that only catches leaks nothing.
  private RuntimeException failed(RuntimeException cause) {
    RuntimeException translated = translate.apply(cause);
    try {
      close();
    } catch (RuntimeException e) {
      translated.addSuppressed(e);
    }
    return translated;
  }

  @Override
  public void close() {
    remaining = 0;
    tail = Collections.emptyIterator();
    CloseableIterator<Record> closing = lake;
    lake = CloseableIterator.empty();
    try {
      closing.close();
    } catch (java.io.IOException e) {
      throw translate.apply(new java.io.UncheckedIOException(e));
    } catch (RuntimeException e) {
      throw translate.apply(e);
    }
  }
}
