package io.lakestream.benchmarks.capture;

import io.debezium.connector.mariadb.MariaDbConnector;
import io.debezium.connector.postgresql.PostgresConnector;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceType;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * The baseline: Debezium's own connector with its initial snapshot, on the same engine with the
 * same batch and queue sizes, its records counted and thrown away.
 */
final class DebeziumSubject implements Subject {
  private static final long POLL_NANOS = 2_000_000;
  private static final int LIMIT_MINUTES = 30;

  private final Path folder;
  private final AtomicLong seen = new AtomicLong();
  private final AtomicLong firstNanos = new AtomicLong();
  private final AtomicLong lastNanos = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private SourceConfig config;
  private DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
  private ExecutorService runner;

  /**
   * @param folder for offsets
   */
  DebeziumSubject(Path folder) {
    this.folder = folder;
  }

  @Override
  public void copy(SourceConfig source, long rows) throws InterruptedException {
    this.config = source;
    start(rows);
  }

  @Override
  public long drain(long changes) throws InterruptedException {
    start(changes);
    return lastNanos.get() - firstNanos.get();
  }

  private void start(long expected) throws InterruptedException {
    seen.set(0);
    firstNanos.set(0);
    engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(settings())
            .using(
                (success, message, error) -> {
                  if (!success) {
                    failure.set(error == null ? new IllegalStateException(message) : error);
                  }
                })
            .notifying(this::count)
            .build();
    runner = Executors.newSingleThreadExecutor();
    runner.execute(engine);
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(LIMIT_MINUTES);
    while (seen.get() < expected) {
      if (failure.get() != null) {
        throw new LakestreamException(
            failure.get(), ErrorCode.INTERNAL, "Debezium failed: %s", failure.get());
      }
      if (System.nanoTime() > deadline) {
        throw new LakestreamException(
            ErrorCode.TIMEOUT, "Debezium handed over %s rows of %s", seen.get(), expected);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private void count(
      List<RecordChangeEvent<SourceRecord>> records,
      DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
      throws InterruptedException {
    firstNanos.compareAndSet(0, System.nanoTime());
    int changes = 0;
    for (RecordChangeEvent<SourceRecord> event : records) {
      boolean isChange =
          event.record().value() instanceof Struct value
              && value.schema().field("source") != null
              && value.schema().field("op") != null;
      if (isChange) {
        changes++;
      }
    }
    committer.markProcessed(records.get(records.size() - 1));
    committer.markBatchFinished();
    lastNanos.set(System.nanoTime());
    seen.addAndGet(changes);
  }

  private Properties settings() {
    String name = "debezium_" + config.name();
    Properties p = new Properties();
    p.setProperty("name", name);
    p.setProperty("topic.prefix", name);
    p.setProperty("database.hostname", config.host());
    p.setProperty("database.port", String.valueOf(config.port()));
    p.setProperty("database.user", config.user());
    p.setProperty("database.password", config.password().reveal());
    p.setProperty("snapshot.mode", "initial");
    p.setProperty("provide.transaction.metadata", "true");
    p.setProperty("tombstones.on.delete", "false");
    p.setProperty("offset.storage", "org.apache.kafka.connect.storage.FileOffsetBackingStore");
    p.setProperty("offset.storage.file.filename", folder.resolve("offsets").toString());
    p.setProperty("poll.interval.ms", "10");
    p.setProperty("max.batch.size", "8192");
    p.setProperty("max.queue.size", "32768");
    p.setProperty("table.include.list", String.join(",", config.include()));
    if (config.type() == SourceType.POSTGRES) {
      p.setProperty("connector.class", PostgresConnector.class.getName());
      p.setProperty("database.dbname", config.database());
      p.setProperty("plugin.name", "pgoutput");
      p.setProperty("slot.name", name);
      p.setProperty("publication.name", name);
      p.setProperty("publication.autocreate.mode", "filtered");
    } else {
      p.setProperty("connector.class", MariaDbConnector.class.getName());
      p.setProperty("database.include.list", config.database());
      p.setProperty("database.server.id", "7001");
      p.setProperty("database.ssl.mode", "disable");
      p.setProperty(
          "schema.history.internal", "io.debezium.storage.file.history.FileSchemaHistory");
      p.setProperty("schema.history.internal.file.filename", folder.resolve("schema").toString());
    }
    return p;
  }

  @Override
  public void stop() throws Exception {
    engine.close();
    engine = null;
    runner.shutdown();
    if (!runner.awaitTermination(1, TimeUnit.MINUTES)) {
      throw new LakestreamException(ErrorCode.TIMEOUT, "Debezium did not stop within a minute");
    }
  }

  @Override
  public long rows() {
    return -1;
  }

  @Override
  public void end() throws Exception {
    if (engine != null) {
      stop();
    }
  }
}
