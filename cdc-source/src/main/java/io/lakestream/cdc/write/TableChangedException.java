package io.lakestream.cdc.write;

/**
 * A table is no longer the one that the session was opened with. Nothing of the batch may be
 * acknowledged: the next session reads it again with the table as it is then.
 */
public final class TableChangedException extends Exception {
  private static final long serialVersionUID = 1;

  TableChangedException(String display, String why) {
    super("Table " + display + " changed: " + why);
  }
}
