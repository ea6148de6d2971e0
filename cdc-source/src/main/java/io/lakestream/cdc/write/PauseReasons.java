package io.lakestream.cdc.write;

import io.lakestream.cdc.source.SourceTable;

/** Why a table is paused, and what the user can do. */
final class PauseReasons {
  private PauseReasons() {}

  static String withWayOut(SourceTable table, String why) {
    return "Table "
        + table.display()
        + " is paused: "
        + why
        + ". What it holds is from before that. For a new copy, start on a fresh data folder, or"
        + " drop the tables of the source; to go on without it, exclude it.";
  }
}
