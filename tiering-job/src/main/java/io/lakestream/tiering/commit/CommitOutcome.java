package io.lakestream.tiering.commit;

/** How the commit of a round ended. */
public sealed interface CommitOutcome {
  /**
   * The round is in the lake, by this commit or by an earlier one of the same round.
   *
   * @param snapshotId the snapshot that holds it
   * @param replayed true where it was there before
   */
  record Committed(long snapshotId, boolean replayed) implements CommitOutcome {}

  /**
   * Another writer has tiered exactly these offsets already: nothing to do, and the round's files
   * are deleted.
   *
   * @param snapshotId the other writer's snapshot
   */
  record Superseded(long snapshotId) implements CommitOutcome {}

  /**
   * The table's head is not the one that the round extends. The round's files are deleted.
   *
   * @param reason what was found
   */
  record Refused(String reason) implements CommitOutcome {}

  /**
   * Nobody knows: the catalog failed in between and cannot be read. The files stay. Find the round
   * ID in the table before anything else is planned.
   */
  record Unknown(RuntimeException cause) implements CommitOutcome {}
}
