package io.lakestream.distribution.demo;

import io.lakestream.cdc.CaptureEngine;
import io.lakestream.cdc.CaptureStatus;
import io.lakestream.distribution.cli.SourceNews;
import io.lakestream.distribution.demo.DemoSample.TableSample;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.StateBoard.SourceState;
import io.lakestream.union.UnionReader;
import io.lakestream.union.ViewStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Takes the figures of the panel. For one thread. */
final class DemoSampler {
  private final UnionReader reader;
  private final CaptureEngine capture;
  private final Workload workload;
  private final List<TableName> tables;
  private final long began = System.nanoTime();

  private long lastNanos = began;
  private long lastTransactions;
  private Map<String, Long> lastChanges = new HashMap<>();

  DemoSampler(
      UnionReader reader, CaptureEngine capture, Workload workload, List<TableName> tables) {
    this.reader = reader;
    this.capture = capture;
    this.workload = workload;
    this.tables = List.copyOf(tables);
    this.lastChanges = changes();
  }

  DemoSample sample() {
    List<ViewStatus> views = tables.stream().map(reader::status).toList();
    Map<String, Long> changes = changes();
    long transactions = workload.committed();
    long now = System.nanoTime();
    double seconds = Math.max(1e-3, (now - lastNanos) / 1e9);
    List<TableSample> samples = new ArrayList<>();
    for (int i = 0; i < views.size(); i++) {
      String name = tables.get(i).display();
      long changed = changes.getOrDefault(name, 0L) - lastChanges.getOrDefault(name, 0L);
      ViewStatus view = views.get(i);
      samples.add(
          new TableSample(
              name,
              view.rows(),
              changed / seconds,
              view.tailRows(),
              view.lakeSnapshotId(),
              view.lakeAgeMs(),
              view.lakeFiles()));
    }
    DemoSample sample =
        new DemoSample(
            Duration.ofNanos(now - began),
            transactions,
            (transactions - lastTransactions) / seconds,
            views.stream()
                .flatMap(view -> view.newestCutPosition().stream())
                .findFirst()
                .map(SourcePosition::text)
                .orElse(""),
            trouble(capture.status()),
            views.isEmpty() ? OptionalLong.empty() : views.get(0).freshnessMs(),
            samples);
    lastNanos = now;
    lastTransactions = transactions;
    lastChanges = changes;
    return sample;
  }

  private static String trouble(CaptureStatus status) {
    return status.state() == SourceState.STREAMING && status.reason().isEmpty()
        ? ""
        : SourceNews.text(status);
  }

  private Map<String, Long> changes() {
    Map<String, Long> changes = new HashMap<>();
    for (CaptureStatus.Table table : capture.status().tables()) {
      changes.put(table.name(), table.changes().applied());
    }
    return changes;
  }
}
