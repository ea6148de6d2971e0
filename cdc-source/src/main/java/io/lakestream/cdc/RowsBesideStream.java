package io.lakestream.cdc;

import io.lakestream.cdc.position.CaptureProgress;
import io.lakestream.cdc.position.CapturedTable;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.cdc.write.BatchWriter;
import io.lakestream.cdc.write.QuarantineLedger;
import io.lakestream.cdc.write.RowReading;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Rows that are read from the source while a session's stream goes on. Safe for many threads. */
final class RowsBesideStream implements RequestDesk.Rows {
  private final ReentrantLock batch;
  private final BooleanSupplier stopping;
  private final BatchWriter writer;
  private final QuarantineLedger quarantine;

  /**
   * Rows of a session.
   *
   * @param batch held while the session writes
   * @param stopping true where nothing is to be written any more
   */
  RowsBesideStream(
      ReentrantLock batch,
      BooleanSupplier stopping,
      BatchWriter writer,
      QuarantineLedger quarantine) {
    this.batch = batch;
    this.stopping = stopping;
    this.writer = writer;
    this.quarantine = quarantine;
  }

  /** Opens the ledger and takes off what a new copy will find again. */
  static QuarantineLedger open(
      FlussTables fluss, CaptureProgress progress, TableRegistration.Start start) {
    QuarantineLedger ledger = QuarantineLedger.open(fluss, progress.source());
    ledger.retain(
        progress.tables().stream().map(CapturedTable::display).collect(Collectors.toSet()));
    start.tables().stream()
        .map(TableRegistration.Registered::captured)
        .filter(table -> !table.copied() && table.copy().lastKey().isEmpty())
        .forEach(table -> ledger.leaveAll(table.display()));
    ledger.flush();
    return ledger;
  }

  @Override
  public List<String> quarantined(String display) {
    return quarantine.keys(display);
  }

  @Override
  public void drop(String display, List<String> keys) {
    alone(
        () -> {
          keys.forEach(key -> quarantine.leave(display, key));
          quarantine.flush();
          return keys;
        });
  }

  @Override
  public Optional<SourceTable> beginReading(String display) {
    return alone(() -> writer.beginReading(display));
  }

  @Override
  public RowReading write(SourceTable table, String key, TableCopy.Chunk row) {
    return alone(() -> writer.write(table.display(), key, row));
  }

  @Override
  public void endReading(String display) {
    batch.lock();
    try {
      writer.endReading(display);
    } finally {
      batch.unlock();
    }
  }

  /** Runs between two batches. */
  private <T> T alone(Supplier<T> work) {
    batch.lock();
    try {
      if (stopping.getAsBoolean()) {
        throw new LakestreamException(
            ErrorCode.INTERNAL, "Cannot go on beside the stream: the session is ending");
      }
      return work.get();
    } finally {
      batch.unlock();
    }
  }
}
