package io.lakestream.cdc.write;

import io.lakestream.tables.change.Cut;

/** Hears what capture does, to show it. Called from the thread that writes. */
public interface CaptureListener {
  /** The initial copy is whole: its tables are live. */
  void copyCompleted();

  /** Nothing is read a second time any more: cuts are written from here on. */
  void streaming();

  void cutWritten(Cut cut);

  /** A table is no longer written. */
  void paused(String table, String reason);
}
