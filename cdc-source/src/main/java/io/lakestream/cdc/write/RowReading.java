package io.lakestream.cdc.write;

/** What became of a row that was read from the source again, beside its stream. */
public enum RowReading {
  /** It converts, and the view has it. */
  WRITTEN,
  /** It does not convert: it is in quarantine. */
  QUARANTINED,
  /** The source has no such row any more; the view has none either. */
  GONE,
  /** The stream changed it meanwhile, and the stream's version counts. */
  OVERTAKEN
}
