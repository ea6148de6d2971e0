/**
 * A plan carried out.
 *
 * <p>{@link io.lakestream.union.read.UnionScan} reads the tail into {@code TailRows}, opens the
 * lake's files as {@code LakeRows}, and hands both out as {@link
 * io.lakestream.union.read.UnionRows}. {@code ReadShape} says which columns that takes, {@code
 * RowFilter} gives filters one meaning on both sides.
 */
package io.lakestream.union.read;
