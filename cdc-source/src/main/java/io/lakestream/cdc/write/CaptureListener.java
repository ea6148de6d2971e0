package io.lakestream.cdc.write;

import io.lakestream.tables.change.Cut;

/** Hears what capture does, to show it. Called from the thread that writes. */
public interface CaptureListener {
  /** The copy of a table is whole: it is live. */
  void copied(String table);

  /** Nothing is read a second time any more: cuts are written from here on. */
  void streaming();

  void cutWritten(Cut cut);

  /** Rows became durable, which took so long in nanoseconds. */
  void flushed(long nanos);

  /** A table is no longer written. */
  void paused(String table, String reason);
}
