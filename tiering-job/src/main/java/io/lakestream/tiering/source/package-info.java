/**
 * The Flink source: {@link io.lakestream.tiering.source.TieringEnumerator} finds tables and keeps a
 * {@link io.lakestream.tiering.source.TableLane} for each, which plans a round, hands its shares to
 * the readers, gathers their files and commits them. {@link
 * io.lakestream.tiering.source.TieringReader} has {@link io.lakestream.tiering.source.ShareWorkers}
 * write them. No splits, no state.
 */
package io.lakestream.tiering.source;
