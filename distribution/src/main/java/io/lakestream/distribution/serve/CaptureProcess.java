package io.lakestream.distribution.serve;

import io.lakestream.cdc.CaptureEngine;
import io.lakestream.distribution.config.LakestreamConfig;
import io.lakestream.distribution.config.SourceSettings;
import io.lakestream.distribution.health.CaptureHttp;
import io.lakestream.distribution.laptop.Stages;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.error.LakestreamException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The capture engines of a process that does nothing else. Safe for many threads. */
final class CaptureProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CaptureProcess.class);

  private final Map<String, CaptureEngine> engines;
  private final CaptureHttp http;
  private final FlussTables tables;
  private boolean closed;

  private CaptureProcess(Map<String, CaptureEngine> engines, CaptureHttp http, FlussTables tables) {
    this.engines = engines;
    this.http = http;
    this.tables = tables;
  }

  /** Starts to serve health and metrics, and connects to Fluss; no engine yet. */
  static CaptureProcess open(LakestreamConfig config) {
    Map<String, CaptureEngine> engines = new ConcurrentHashMap<>();
    CaptureHttp http = CaptureHttp.start(config.http(), engines::values);
    try {
      FlussTables tables = FlussTables.open(config.fluss().bootstrapServers());
      return new CaptureProcess(engines, http, tables);
    } catch (RuntimeException e) {
      http.close();
      throw e;
    }
  }

  /** Where health and metrics are. */
  String url() {
    return http.url();
  }

  /**
   * Starts capture of a source.
   *
   * @throws LakestreamException with the way out, where it is refused; the others go on
   */
  CaptureEngine capture(String name, SourceSettings settings) {
    CaptureEngine engine =
        CaptureEngine.start(
            Stages.source(name, settings), tables, Stages.options(name, settings, http));
    engines.put(name, engine);
    return engine;
  }

  List<CaptureEngine> engines() {
    return List.copyOf(engines.values());
  }

  /** Stops all engines cleanly, side by side. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    List<Thread> stops = new ArrayList<>();
    engines.forEach(
        (name, engine) -> {
          Thread stop = new Thread(engine::close, "stop capture of " + name);
          stop.start();
          stops.add(stop);
        });
    try {
      for (Thread stop : stops) {
        stop.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    http.close();
    tables.close();
    LOG.info("Stopped: sources={}", engines.keySet());
  }
}
