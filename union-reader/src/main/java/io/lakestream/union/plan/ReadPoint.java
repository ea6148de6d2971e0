package io.lakestream.union.plan;

import io.lakestream.tables.change.Cut;
import io.lakestream.tables.change.SourcePosition;

/** Which state of the view to read. */
public sealed interface ReadPoint {
  /**
   * Everything that Fluss holds when the read is planned. Fresher than any cut, and whole per
   * bucket only: a source transaction that is being written may be there in part.
   */
  static ReadPoint latest() {
    return Latest.INSTANCE;
  }

  /** The newest cut of the source: whole source transactions, the same in all of its tables. */
  static ReadPoint latestCut() {
    return LatestCut.INSTANCE;
  }

  /** The newest cut at or before a position of the source's log. */
  static ReadPoint at(SourcePosition position) {
    return new AtPosition(position);
  }

  /** A given cut, for example the one of another plan. */
  static ReadPoint at(Cut cut) {
    return new AtCut(cut);
  }

  /** See {@link ReadPoint#latest}. */
  enum Latest implements ReadPoint {
    INSTANCE
  }

  /** See {@link ReadPoint#latestCut}. */
  enum LatestCut implements ReadPoint {
    INSTANCE
  }

  /** See {@link ReadPoint#at(SourcePosition)}. */
  record AtPosition(SourcePosition position) implements ReadPoint {}

  /** See {@link ReadPoint#at(Cut)}. */
  record AtCut(Cut cut) implements ReadPoint {}
}
