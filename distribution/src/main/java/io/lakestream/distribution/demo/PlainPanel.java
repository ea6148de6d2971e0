package io.lakestream.distribution.demo;

import java.io.PrintWriter;
import java.time.Duration;

/** Prints lines every few seconds. */
final class PlainPanel implements Panel {
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  private final PanelText text;
  private final PrintWriter out;
  private Duration next = Duration.ZERO;
  private volatile boolean closed;

  PlainPanel(PanelText text, PrintWriter out) {
    this.text = text;
    this.out = out;
  }

  @Override
  public void show(DemoSample sample) {
    if (closed || sample.running().compareTo(next) < 0) {
      return;
    }
    next = sample.running().plus(INTERVAL);
    text.plain(sample).forEach(out::println);
    out.flush();
  }

  @Override
  public void note(String line) {
    if (!closed) {
      out.println(line);
      out.flush();
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
