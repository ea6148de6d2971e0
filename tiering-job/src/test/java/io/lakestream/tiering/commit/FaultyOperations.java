package io.lakestream.tiering.commit;

import org.apache.iceberg.BaseTable;
import org.apache.iceberg.LocationProviders;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/** A catalog that fails once: before it swaps the metadata, or after. */
final class FaultyOperations implements TableOperations {
  enum Fault {
    BEFORE_THE_SWAP,
    REPLY_LOST
  }

  private final TableOperations real;
  private final Fault fault;
  private boolean failed;

  private FaultyOperations(TableOperations real, Fault fault) {
    this.real = real;
    this.fault = fault;
  }

  static Table wrap(Table table, Fault fault) {
    return new BaseTable(
        new FaultyOperations(((BaseTable) table).operations(), fault), table.name());
  }

  @Override
  public void commit(TableMetadata base, TableMetadata metadata) {
    if (failed) {
      real.commit(base, metadata);
      return;
    }
    failed = true;
    if (fault == Fault.REPLY_LOST) {
      real.commit(base, metadata);
      throw new CommitStateUnknownException(new IllegalStateException("reply lost"));
    }
    throw new IllegalStateException("catalog is gone");
  }

  @Override
  public TableMetadata current() {
    return real.current();
  }

  @Override
  public TableMetadata refresh() {
    return real.refresh();
  }

  @Override
  public FileIO io() {
    return real.io();
  }

  @Override
  public EncryptionManager encryption() {
    return real.encryption();
  }

  @Override
  public String metadataFileLocation(String fileName) {
    return real.metadataFileLocation(fileName);
  }

  @Override
  public LocationProvider locationProvider() {
    return LocationProviders.locationsFor(current().location(), current().properties());
  }
}
