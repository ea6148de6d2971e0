package io.lakestream.cdc.write;

/** Why a table is paused, and what the user can do. */
public final class PauseReasons {
  private PauseReasons() {}

  /**
   * One sentence for status and log.
   *
   * @param display {@code <schema>.<table>}
   * @param why the middle of a sentence
   */
  public static String withWayOut(String source, String display, String why) {
    return "Table "
        + display
        + " is paused: "
        + why
        + ". What it holds is from before that. For a new copy run: lakestream cdc resync "
        + display
        + " --source "
        + source
        + "; to go on without it, exclude it.";
  }
}
