package io.lakestream.distribution.demo;

import java.io.PrintWriter;

/** Shows how the demo goes on. For one thread, but {@link #close} may come from any. */
interface Panel extends AutoCloseable {
  void show(DemoSample sample);

  /** Tells what the next sample shows too: printed where lines stay. */
  void note(String line);

  /** Gives the terminal back as it was. Later calls of {@link #show} do nothing. */
  @Override
  void close();

  /** A live panel where there is a terminal, lines otherwise. */
  static Panel open(PanelText text, PrintWriter out) {
    return TerminalPanel.open(text)
        .orElseGet(
            () -> {
              text.footer().forEach(out::println);
              return new PlainPanel(text, out);
            });
  }
}
