package io.lakestream.distribution.verify;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The rows of one side of a comparison, parted by key into temporary files: equal keys of both
 * sides are in parts of the same number. For one thread.
 */
final class RowSpill implements AutoCloseable {
  private static final int NULL = -1;

  private final List<Path> files = new ArrayList<>();
  private final List<DataOutputStream> outputs = new ArrayList<>();

  private RowSpill() {}

  /**
   * @param folder for the files, which {@link #close} deletes
   * @param parts at least 1
   */
  static RowSpill create(Path folder, int parts) {
    RowSpill spill = new RowSpill();
    try {
      Files.createDirectories(folder);
      for (int i = 0; i < parts; i++) {
        Path file = Files.createTempFile(folder, "verify", ".rows");
        spill.files.add(file);
        spill.outputs.add(
            new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file))));
      }
      return spill;
    } catch (IOException e) {
      spill.close();
      throw failed(e);
    }
  }

  void add(List<String> key, String[] row) {
    try {
      DataOutputStream out = outputs.get(Math.floorMod(key.hashCode(), outputs.size()));
      out.writeInt(row.length);
      for (String value : row) {
        byte[] bytes = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes == null ? NULL : bytes.length);
        if (bytes != null) {
          out.write(bytes);
        }
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  int parts() {
    return files.size();
  }

  /** Opens a part for reading. Nothing can be added to it from now on. */
  Reader read(int part) {
    try {
      outputs.get(part).close();
      return new Reader(files.get(part));
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** The rows of one part in the order they came. */
  static final class Reader implements AutoCloseable {
    private final DataInputStream in;

    private Reader(Path file) throws IOException {
      this.in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)));
    }

    /** The next row; empty after the last. */
    Optional<String[]> next() {
      try {
        String[] row = new String[in.readInt()];
        for (int i = 0; i < row.length; i++) {
          int length = in.readInt();
          row[i] =
              length == NULL ? null : new String(in.readNBytes(length), StandardCharsets.UTF_8);
        }
        return Optional.of(row);
      } catch (EOFException e) {
        return Optional.empty();
      } catch (IOException e) {
        throw failed(e);
      }
    }

    @Override
    public void close() {
      try {
        in.close();
      } catch (IOException e) {
        throw failed(e);
      }
    }
  }

  @Override
  public void close() {
    try {
      for (DataOutputStream output : outputs) {
        output.close();
      }
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static LakestreamException failed(IOException e) {
    return new LakestreamException(
        e,
        ErrorCode.INTERNAL,
        "Cannot keep the rows to compare in temporary files: %s. Free some disk space.",
        e);
  }
}
