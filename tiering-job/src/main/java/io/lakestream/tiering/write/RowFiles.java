package io.lakestream.tiering.write;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.parquet.Parquet;

/** Writes the rows of one bucket in one round: one Parquet file, or more where they grow large. */
final class RowFiles {
  static final long TARGET_FILE_BYTES = 128L << 20;

  // A row group stays in memory until it is full, and several buckets write at once.
  private static final long ROW_GROUP_BYTES = 16L << 20;
  // Rows may have several MB each: look at the row group's size early.
  private static final int ROW_GROUP_CHECK_ROWS = 10;
  private static final long LENGTH_CHECK_BYTES = 1L << 20;

  private final Table table;
  private final PartitionData partition;
  private final OutputFileFactory files;
  private final List<DataFile> finished = new ArrayList<>();
  private final List<String> locations = new ArrayList<>();
  private DataWriter<Record> writer;
  private long position;
  private long uncheckedBytes;

  RowFiles(Table table, PartitionData partition, OutputFileFactory files) {
    this.table = table;
    this.partition = partition;
    this.files = files;
  }

  /** True where the next row starts a new file: call {@link #startFile} first. */
  boolean needsFile() throws IOException {
    if (writer != null && uncheckedBytes >= LENGTH_CHECK_BYTES) {
      uncheckedBytes = 0;
      if (writer.length() >= TARGET_FILE_BYTES) {
        finishFile();
      }
    }
    return writer == null;
  }

  /** Starts a file and returns its location. */
  String startFile() throws IOException {
    var output = files.newOutputFile(table.spec(), partition);
    locations.add(output.encryptingOutputFile().location());
    writer =
        WithoutHadoopFiles.call(
            () ->
                Parquet.writeData(output)
                    .forTable(table)
                    .set(
                        TableProperties.PARQUET_ROW_GROUP_SIZE_BYTES,
                        Long.toString(ROW_GROUP_BYTES))
                    .set(
                        TableProperties.PARQUET_ROW_GROUP_CHECK_MIN_RECORD_COUNT,
                        Integer.toString(ROW_GROUP_CHECK_ROWS))
                    .withPartition(partition)
                    .createWriterFunc(GenericParquetWriter::create)
                    .overwrite()
                    .build());
    position = 0;
    return output.encryptingOutputFile().location();
  }

  /** Writes a row and returns its position in the file. */
  long write(Record row, long estimatedBytes) {
    writer.write(row);
    uncheckedBytes += estimatedBytes;
    return position++;
  }

  private void finishFile() throws IOException {
    writer.close();
    finished.add(writer.toDataFile());
    writer = null;
  }

  /** Ends the last file and returns all. */
  List<DataFile> finish() throws IOException {
    if (writer != null) {
      finishFile();
    }
    return finished;
  }

  /** Closes what is open and returns the locations of everything written. */
  List<String> abort() throws IOException {
    if (writer != null) {
      writer.close();
      writer = null;
    }
    return locations;
  }
}
