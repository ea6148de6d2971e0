package io.lakestream.tables.change;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import org.apache.fluss.client.table.scanner.log.LogScanner;
import org.apache.fluss.client.table.scanner.log.LogScannerImpl;
import org.apache.fluss.client.table.scanner.log.LogScannerStatus;
import org.apache.fluss.metadata.TableBucket;

/**
 * The consumed position of a log scanner. Deleting an absent key advances the log without a record,
 * so a reader that waits for the record before its stop offset may wait for ever; only the position
 * tells. Fluss 0.9.1 keeps it private, hence the reflection, which fails at once where a release
 * renames it.
 */
final class ScannedPosition {
  private static final Field STATUS = statusField();
  private static final Method OFFSET = offsetMethod();

  private ScannedPosition() {}

  /**
   * The offset that the scanner will return next for {@code bucket}, which it must be subscribed
   * to.
   */
  static long of(LogScanner scanner, TableBucket bucket) {
    try {
      return (Long) OFFSET.invoke(STATUS.get(scanner), bucket);
    } catch (ReflectiveOperationException e) {
      throw unreachable(e);
    }
  }

  private static Field statusField() {
    try {
      Field field = LogScannerImpl.class.getDeclaredField("logScannerStatus");
      field.setAccessible(true);
      return field;
    } catch (ReflectiveOperationException e) {
      throw unreachable(e);
    }
  }

  private static Method offsetMethod() {
    try {
      Method method =
          LogScannerStatus.class.getDeclaredMethod("getBucketOffset", TableBucket.class);
      method.setAccessible(true);
      return method;
    } catch (ReflectiveOperationException e) {
      throw unreachable(e);
    }
  }

  private static LakestreamException unreachable(ReflectiveOperationException cause) {
    return new LakestreamException(
        cause,
        ErrorCode.INTERNAL,
        "Cannot read the position of Fluss's log scanner: this Fluss client is not the release that Lakestream was built for");
  }
}
