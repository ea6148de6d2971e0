/**
 * Tiering: moves the Fluss log of every Lakestream table into Iceberg, in rounds.
 *
 * <p>{@link io.lakestream.tiering.TieringJob} defines the Flink job. A round goes through the
 * packages in this order:
 *
 * <ol>
 *   <li>{@code source} plans it: from the offsets in the lake's head to the newest cut
 *   <li>{@code write} reads the log and writes Parquet files and deletion vectors, by means of
 *   <li>{@code index}, which knows where each key lies in the lake
 *   <li>{@code commit} swaps the lake's head: files and offsets in one commit, or not at all
 * </ol>
 *
 * <p>The committed lake snapshot is the only progress record.
 */
package io.lakestream.tiering;
