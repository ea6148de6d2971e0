package io.lakestream.cdc.source;

import java.util.Locale;

/** The kinds of databases that can be captured. */
public enum SourceType {
  POSTGRES;

  /** As the configuration spells it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
