package io.lakestream.distribution.health;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lakestream.cdc.CaptureEngine;
import io.lakestream.cdc.CaptureStatus;
import io.lakestream.distribution.config.HttpSettings;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Health and metrics of the capture engines of this process.
 *
 * <ul>
 *   <li>{@code /livez}: 200 while an engine runs, or none has started yet; also during a long copy
 *       or while a source is away. 503 once all have given up: only a restart helps then.
 *   <li>{@code /readyz}: 200 while every source streams and no table is stale; otherwise 503 with
 *       the reasons, one a line.
 *   <li>{@code /metrics}: for Prometheus.
 * </ul>
 */
public final class CaptureHttp implements AutoCloseable {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int UNAVAILABLE = 503;
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final int THREADS = 2;

  private final Supplier<Collection<CaptureEngine>> engines;
  private final CaptureMetrics metrics;
  private final HttpServer server;
  private final ExecutorService threads;

  private CaptureHttp(Supplier<Collection<CaptureEngine>> engines, HttpServer server) {
    this.engines = engines;
    this.metrics = new CaptureMetrics(this::statuses);
    this.server = server;
    this.threads =
        Executors.newFixedThreadPool(
            THREADS,
            task -> {
              Thread thread = new Thread(task, "lakestream-http");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Starts to serve.
   *
   * @param engines of this process, asked at every request
   * @throws LakestreamException PORT_TAKEN, or INVALID_CONFIG where it cannot listen there
   */
  public static CaptureHttp start(
      HttpSettings settings, Supplier<Collection<CaptureEngine>> engines) {
    HttpServer server;
    try {
      server = HttpServer.create(new InetSocketAddress(settings.host(), settings.port()), 0);
    } catch (BindException e) {
      throw new LakestreamException(
          e,
          ErrorCode.PORT_TAKEN,
          "Cannot serve health and metrics on %s:%s: %s. Choose another port with http.port (0 takes any free one).",
          settings.host(),
          settings.port(),
          e.getMessage());
    } catch (IOException | IllegalArgumentException e) {
      throw new LakestreamException(
          e,
          ErrorCode.INVALID_CONFIG,
          "Cannot serve health and metrics on %s:%s: %s. Check http.host.",
          settings.host(),
          settings.port(),
          e.getMessage());
    }
    CaptureHttp http = new CaptureHttp(engines, server);
    server.setExecutor(http.threads);
    server.createContext("/", http::handle);
    server.start();
    return http;
  }

  /** {@code http://host:port}, as it listens. */
  public String url() {
    InetSocketAddress address = server.getAddress();
    return "http://" + address.getHostString() + ":" + address.getPort();
  }

  /** Hears how long each flush of a source took, in nanoseconds. */
  public LongConsumer flushes(String source) {
    return metrics.flushes(source);
  }

  private List<CaptureStatus> statuses() {
    return engines.get().stream()
        .map(CaptureEngine::status)
        .sorted(Comparator.comparing(CaptureStatus::source))
        .toList();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      boolean reads =
          exchange.getRequestMethod().equals("GET") || exchange.getRequestMethod().equals("HEAD");
      if (!reads) {
        answer(exchange, METHOD_NOT_ALLOWED, TEXT, "only GET\n".getBytes(StandardCharsets.UTF_8));
        return;
      }
      switch (exchange.getRequestURI().getPath()) {
        case "/livez" -> live(exchange);
        case "/readyz" -> ready(exchange);
        case "/metrics" -> metrics(exchange);
        default ->
            text(exchange, NOT_FOUND, List.of("not found; there are /livez, /readyz, /metrics"));
      }
    }
  }

  private void live(HttpExchange exchange) throws IOException {
    Collection<CaptureEngine> all = engines.get();
    List<String> dead =
        all.stream()
            .flatMap(engine -> engine.failure().stream())
            .map(LakestreamException::getMessage)
            .toList();
    boolean live = all.isEmpty() || dead.size() < all.size();
    text(exchange, live ? OK : UNAVAILABLE, live ? List.of("alive") : dead);
  }

  private void ready(HttpExchange exchange) throws IOException {
    Readiness readiness = Readiness.of(statuses());
    text(exchange, readiness.ready() ? OK : UNAVAILABLE, readiness.lines());
  }

  private void metrics(HttpExchange exchange) throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    metrics.write(body);
    answer(exchange, OK, CaptureMetrics.CONTENT_TYPE, body.toByteArray());
  }

  private static void text(HttpExchange exchange, int code, List<String> lines) throws IOException {
    String body = String.join("\n", lines) + "\n";
    answer(exchange, code, TEXT, body.getBytes(StandardCharsets.UTF_8));
  }

  private static void answer(HttpExchange exchange, int code, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(code, -1);
      return;
    }
    exchange.sendResponseHeaders(code, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
