package io.lakestream.tiering.index;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/**
 * The key indexes of one reader: for each bucket, key → place in the lake, in one RocksDB on local
 * disk.
 *
 * <p>A cache: nothing in it is ever needed again after a crash, so the write-ahead log is off and
 * the folder is deleted on close. Memory is bounded by one block cache of {@value #CACHE_BYTES}
 * bytes, which the write buffers are charged to. Each bucket has a slot of its own; a rebuild takes
 * a fresh one.
 *
 * <p>Safe for many threads, as long as each slot is used by one.
 */
public final class KeyIndex implements AutoCloseable {
  static final long CACHE_BYTES = 32L << 20;

  private static final long WRITE_BUFFER_BYTES = 8L << 20;
  private static final long ALL_WRITE_BUFFERS_BYTES = 16L << 20;
  private static final double BLOOM_BITS_PER_KEY = 10;

  private final Path directory;
  private final Cache cache;
  private final WriteBufferManager writeBuffers;
  private final BloomFilter bloomFilter;
  private final Options options;
  private final WriteOptions writeOptions;
  private final RocksDB db;
  private final AtomicInteger nextSlot = new AtomicInteger();

  private KeyIndex(Path directory) throws RocksDBException {
    this.directory = directory;
    this.cache = new LRUCache(CACHE_BYTES);
    this.writeBuffers = new WriteBufferManager(ALL_WRITE_BUFFERS_BYTES, cache);
    this.bloomFilter = new BloomFilter(BLOOM_BITS_PER_KEY, false);
    this.options =
        new Options()
            .setCreateIfMissing(true)
            .setWriteBufferManager(writeBuffers)
            .setWriteBufferSize(WRITE_BUFFER_BYTES)
            .setMaxBackgroundJobs(2)
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setKeepLogFileNum(1)
            .setMaxOpenFiles(64)
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(cache)
                    .setCacheIndexAndFilterBlocks(true)
                    .setFilterPolicy(bloomFilter));
    this.writeOptions = new WriteOptions().setDisableWAL(true);
    this.db = RocksDB.open(options, directory.toString());
  }

  /**
   * Opens an empty index in a new folder below {@code parent}, which is created where it is
   * missing.
   */
  public static KeyIndex open(Path parent) {
    RocksDB.loadLibrary();
    try {
      Files.createDirectories(parent);
      return new KeyIndex(Files.createTempDirectory(parent, "keys-"));
    } catch (IOException | RocksDBException e) {
      throw new LakestreamException(
          e, ErrorCode.INTERNAL, "Cannot open a key index below %s: %s", parent, e.getMessage());
    }
  }

  /** A slot that no bucket uses yet. */
  public int newSlot() {
    return nextSlot.getAndIncrement();
  }

  /** Forgets all keys of a slot. */
  public void drop(int slot) {
    try {
      db.deleteRange(writeOptions, prefixed(slot, new byte[0]), prefixed(slot + 1, new byte[0]));
    } catch (RocksDBException e) {
      throw failed("drop", e);
    }
  }

  /** Finds where a key lies. */
  public Optional<RowPlace> find(int slot, byte[] key) {
    try {
      byte[] value = db.get(prefixed(slot, key));
      return value == null ? Optional.empty() : Optional.of(RowPlace.of(value));
    } catch (RocksDBException e) {
      throw failed("read", e);
    }
  }

  /** Collects changes of one slot; nothing is visible before {@link Changes#apply}. */
  public Changes changes(int slot) {
    return new Changes(slot);
  }

  /** Changes of one slot that apply together. */
  public final class Changes implements AutoCloseable {
    private final int slot;
    private final WriteBatch batch = new WriteBatch();

    private Changes(int slot) {
      this.slot = slot;
    }

    /** Notes that a key lies at a place. */
    public void put(byte[] key, RowPlace place) {
      try {
        batch.put(prefixed(slot, key), place.toBytes());
      } catch (RocksDBException e) {
        throw failed("write", e);
      }
    }

    /** Notes that a key is no longer there. */
    public void delete(byte[] key) {
      try {
        batch.delete(prefixed(slot, key));
      } catch (RocksDBException e) {
        throw failed("write", e);
      }
    }

    /** Number of changes collected since the last {@link #apply}. */
    public int size() {
      return batch.count();
    }

    /** Applies what was collected; then collects anew. */
    public void apply() {
      try {
        db.write(writeOptions, batch);
        batch.clear();
      } catch (RocksDBException e) {
        throw failed("write", e);
      }
    }

    @Override
    public void close() {
      batch.close();
    }
  }

  private static byte[] prefixed(int slot, byte[] key) {
    return ByteBuffer.allocate(Integer.BYTES + key.length).putInt(slot).put(key).array();
  }

  private LakestreamException failed(String what, RocksDBException cause) {
    return new LakestreamException(
        cause,
        ErrorCode.INTERNAL,
        "Cannot %s the key index in %s: %s",
        what,
        directory,
        cause.getMessage());
  }

  /** Frees the memory and deletes the folder. */
  @Override
  public void close() {
    db.close();
    options.close();
    writeOptions.close();
    bloomFilter.close();
    writeBuffers.close();
    cache.close();
    deleteRecursively(directory);
  }

  /** Deletes a folder with all that is in it; does nothing where there is none. */
  public static void deleteRecursively(Path directory) {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      throw new LakestreamException(
          e,
          ErrorCode.INTERNAL,
          "Cannot delete the index folder %s: %s",
          directory,
          e.getMessage());
    }
  }
}
