package io.lakestream.cdc.write;

import io.lakestream.cdc.decode.KeyJson;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.tables.system.Quarantine;
import org.apache.kafka.connect.data.Struct;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets rows into quarantine and out of it, and pauses a table that has too many there. For one
 * thread.
 */
final class QuarantineDoor {
  private static final Logger LOG = LoggerFactory.getLogger(QuarantineDoor.class);

  private final String source;
  private final BatchWriter.Stores stores;
  private final QuarantineLedger ledger;
  private final Runnable flush;

  QuarantineDoor(String source, BatchWriter.Stores stores, Runnable flush) {
    this.source = source;
    this.stores = stores;
    this.ledger = stores.quarantine();
    this.flush = flush;
  }

  /** Takes in a row that is no longer in the view. */
  void enter(TableCapture capture, String position, TableCopy.Unconvertible row) {
    String display = capture.table().display();
    LOG.warn(
        "Quarantined a row: source={} table={} position={} column={} reason={}",
        source,
        display,
        position,
        row.column(),
        row.reason());
    ledger.enter(
        new Quarantine.Entry(
            source, display, position, row.key(), row.column(), row.reason(), row.value()));
    int limit = stores.limits().of(display);
    if (ledger.count(display) > limit) {
      flush.run();
      pause(
          capture,
          "more than %s of its rows have a value without an exact home (quarantine-limit), see lakestream cdc quarantine list %s. Mend them in the source, choose another type for the column with table-settings, or raise the limit"
              .formatted(limit, display));
    }
  }

  // Somebody has to look first: a copy would find the same rows.
  private void pause(TableCapture capture, String why) {
    String display = capture.table().display();
    if (stores.tables().pause(display, why, "")) {
      stores.listener().paused(display, capture.pauseReason());
    }
  }

  /** A row of the stream is no longer one that does not convert. */
  void leave(RecordShape shape, Struct row) {
    if (ledger.count(shape.capture().table().display()) > 0) {
      leave(shape.capture(), shape.decoder().keyJson(row));
    }
  }

  /** Rows of a chunk that are still the current ones convert. */
  void leave(TableCapture capture, TableCopy.Chunk chunk) {
    if (ledger.count(capture.table().display()) > 0) {
      chunk.rows().stream()
          .filter(row -> capture.admits(row, chunk.seen()))
          .forEach(row -> leave(capture, KeyJson.print(capture.table().definition(), row)));
    }
  }

  void leave(TableCapture capture, String key) {
    ledger.leave(capture.table().display(), key);
  }
}
