/**
 * The commit of a round, without any Flink: {@link io.lakestream.tiering.commit.LakeCommitter}
 * swaps the lake's head, {@link io.lakestream.tiering.commit.HeadGuard} says when it may, {@link
 * io.lakestream.tiering.commit.CommitOutcome} how it ended.
 */
package io.lakestream.tiering.commit;
