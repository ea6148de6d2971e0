package io.lakestream.distribution.demo;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Redraws what changed on the terminal's second screen; what was there before comes back. */
final class TerminalPanel implements Panel {
  private static final Logger LOG = LoggerFactory.getLogger(TerminalPanel.class);

  private final PanelText text;
  private final Terminal terminal;
  private final Display display;
  private Size size = new Size(0, 0);
  private boolean closed;

  private TerminalPanel(PanelText text, Terminal terminal) {
    this.text = text;
    this.terminal = terminal;
    this.display = new Display(terminal, true);
  }

  /** Opens a panel where standard output is a terminal that can be redrawn; empty otherwise. */
  static Optional<Panel> open(PanelText text) {
    try {
      // Signals stay with the JVM: Ctrl-C must run its shutdown hooks.
      Terminal terminal =
          TerminalBuilder.builder()
              .system(true)
              .systemOutput(TerminalBuilder.SystemOutput.SysOut)
              .nativeSignals(false)
              .dumb(true)
              .build();
      if (terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
        terminal.close();
        return Optional.empty();
      }
      TerminalPanel panel = new TerminalPanel(text, terminal);
      terminal.echo(false);
      terminal.puts(Capability.enter_ca_mode);
      terminal.puts(Capability.cursor_invisible);
      terminal.flush();
      return Optional.of(panel);
    } catch (IOException e) {
      throw new LakestreamException(
          e, ErrorCode.INTERNAL, "Cannot use the terminal: %s", ErrorText.of(e));
    }
  }

  @Override
  public synchronized void show(DemoSample sample) {
    if (closed) {
      return;
    }
    Size now = terminal.getSize();
    if (!now.equals(size)) {
      size = new Size(now.getColumns(), now.getRows());
      display.clear();
      display.resize(size.getRows(), size.getColumns());
    }
    List<AttributedString> lines = new ArrayList<>();
    for (String line : text.panel(sample)) {
      if (lines.size() < size.getRows()) {
        lines.add(new AttributedString(line).columnSubSequence(0, size.getColumns()));
      }
    }
    display.update(lines, 0);
  }

  @Override
  public void note(String line) {
    // A line printed into the panel would tear it; the sample says the same.
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      terminal.puts(Capability.cursor_visible);
      terminal.puts(Capability.exit_ca_mode);
      terminal.echo(true);
      terminal.flush();
      terminal.close();
    } catch (IOException e) {
      LOG.warn("Terminal was not restored", e);
    }
  }
}
