package io.lakestream.distribution.health;

import io.lakestream.cdc.CaptureStatus;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * What Prometheus reads of capture; every name is in docs/metrics.md. Gauges and counters are taken
 * from the engines when they are asked for. Safe for many threads.
 */
final class CaptureMetrics {
  /** Content type of {@link #write}. */
  static final String CONTENT_TYPE = PrometheusTextFormatWriter.CONTENT_TYPE;

  private static final String PREFIX = "lakestream_cdc_";
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double MS_PER_SECOND = 1e3;

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Histogram flushes;

  CaptureMetrics(Supplier<Collection<CaptureStatus>> statuses) {
    this.flushes =
        Histogram.builder()
            .name(PREFIX + "flush_seconds")
            .help("Time until rows handed to Fluss were durable")
            .labelNames("source")
            .classicUpperBounds(.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30)
            .classicOnly()
            .register(registry);
    registry.register((MultiCollector) () -> collect(statuses.get()));
  }

  /** Hears how long each flush of a source took, in nanoseconds. */
  LongConsumer flushes(String source) {
    var ofSource = flushes.labelValues(source);
    return nanos -> ofSource.observe(nanos / NANOS_PER_SECOND);
  }

  /** Writes all metrics in Prometheus' text format. */
  void write(OutputStream out) throws IOException {
    PrometheusTextFormatWriter.create().write(out, registry.scrape());
  }

  private static MetricSnapshots collect(Collection<CaptureStatus> statuses) {
    List<MetricSnapshot> all = new ArrayList<>();
    sources(statuses, all);
    tables(statuses, all);
    return new MetricSnapshots(all);
  }

  private static void sources(Collection<CaptureStatus> statuses, List<MetricSnapshot> all) {
    GaugeSnapshot.Builder states = gauge("source_state", "1 for the state that a source is in");
    GaugeSnapshot.Builder lags = gauge("lag_seconds", "Age of the newest cut's last transaction");
    GaugeSnapshot.Builder bytes =
        gauge("lag_bytes", "Bytes of the source's log behind the newest cut");
    GaugeSnapshot.Builder positions =
        gauge("position", "Position of the newest cut as a number that only grows");
    for (CaptureStatus status : statuses) {
      states.dataPoint(point(1, "source", status.source(), "state", status.state().name()));
      seconds(status.lag().ms())
          .ifPresent(s -> lags.dataPoint(point(s, "source", status.source())));
      status.lag().bytes().ifPresent(b -> bytes.dataPoint(point(b, "source", status.source())));
      status
          .position()
          .ifPresent(p -> positions.dataPoint(point(p.ordinal(), "source", status.source())));
    }
    all.add(states.build());
    all.add(lags.build());
    all.add(bytes.build());
    all.add(positions.build());
    all.add(
        ofSources(
            gauge("lag_rows", "Changes taken from the stream that are in no cut yet"),
            statuses,
            status -> (double) status.lag().rows()));
    all.add(
        ofSources(
            gauge("progress_age_seconds", "Time since a cut or a chunk of a copy was written"),
            statuses,
            status -> status.run().idleMs() / MS_PER_SECOND));
    all.add(
        ofSources(
            counter("cuts", "Cuts written"), statuses, status -> (double) status.run().cuts()));
    all.add(
        ofSources(
            counter("sessions", "Sessions opened with a source"),
            statuses,
            status -> (double) status.run().sessions()));
    all.add(
        ofSources(
            counter("session_failures", "Sessions that failed and are followed by another try"),
            statuses,
            status -> (double) status.run().failures()));
  }

  private static void tables(Collection<CaptureStatus> statuses, List<MetricSnapshot> all) {
    GaugeSnapshot.Builder states = gauge("table_state", "1 for the state that a table is in");
    GaugeSnapshot.Builder copied = gauge("copied_rows", "Rows of the table's copy so far");
    GaugeSnapshot.Builder estimates =
        gauge("copy_estimated_rows", "Rows of the table by the source's own guess");
    GaugeSnapshot.Builder quarantined = gauge("quarantined_rows", "Rows in quarantine now");
    CounterSnapshot.Builder upserts = counter("upserts", "Inserts, updates and copied rows");
    CounterSnapshot.Builder deletes = counter("deletes", "Deletes");
    CounterSnapshot.Builder bad = counter("quarantined_changes", "Changes that did not convert");
    for (CaptureStatus status : statuses) {
      for (CaptureStatus.Table table : status.tables()) {
        String[] labels = {"source", status.source(), "table", table.name()};
        states.dataPoint(
            point(
                1,
                "source",
                status.source(),
                "table",
                table.name(),
                "state",
                table.state().name()));
        quarantined.dataPoint(point(table.quarantined(), labels));
        upserts.dataPoint(count(table.changes().upserts(), labels));
        deletes.dataPoint(count(table.changes().deletes(), labels));
        bad.dataPoint(count(table.changes().quarantined(), labels));
        table
            .copied()
            .ifPresent(
                copy -> {
                  copied.dataPoint(point(copy.rows(), labels));
                  if (copy.estimatedRows() >= 0) {
                    estimates.dataPoint(point(copy.estimatedRows(), labels));
                  }
                });
      }
    }
    List.of(states, copied, estimates, quarantined).forEach(gauge -> all.add(gauge.build()));
    List.of(upserts, deletes, bad).forEach(counter -> all.add(counter.build()));
  }

  private static Optional<Double> seconds(OptionalLong ms) {
    return ms.isPresent() ? Optional.of(ms.getAsLong() / MS_PER_SECOND) : Optional.empty();
  }

  private static MetricSnapshot ofSources(
      GaugeSnapshot.Builder gauge,
      Collection<CaptureStatus> statuses,
      ToDoubleFunction<CaptureStatus> value) {
    statuses.forEach(
        status -> gauge.dataPoint(point(value.applyAsDouble(status), "source", status.source())));
    return gauge.build();
  }

  private static MetricSnapshot ofSources(
      CounterSnapshot.Builder counter,
      Collection<CaptureStatus> statuses,
      ToDoubleFunction<CaptureStatus> value) {
    statuses.forEach(
        status -> counter.dataPoint(count(value.applyAsDouble(status), "source", status.source())));
    return counter.build();
  }

  private static GaugeSnapshot.Builder gauge(String name, String help) {
    return GaugeSnapshot.builder().name(PREFIX + name).help(help);
  }

  private static CounterSnapshot.Builder counter(String name, String help) {
    return CounterSnapshot.builder().name(PREFIX + name).help(help);
  }

  // Exact up to 2^53, which no count or log position reaches.
  private static GaugeSnapshot.GaugeDataPointSnapshot point(long value, String... labels) {
    return point((double) value, labels);
  }

  private static CounterSnapshot.CounterDataPointSnapshot count(long value, String... labels) {
    return count((double) value, labels);
  }

  private static GaugeSnapshot.GaugeDataPointSnapshot point(double value, String... labels) {
    return GaugeSnapshot.GaugeDataPointSnapshot.builder()
        .value(value)
        .labels(Labels.of(labels))
        .build();
  }

  private static CounterSnapshot.CounterDataPointSnapshot count(double value, String... labels) {
    return CounterSnapshot.CounterDataPointSnapshot.builder()
        .value(value)
        .labels(Labels.of(labels))
        .build();
  }
}
