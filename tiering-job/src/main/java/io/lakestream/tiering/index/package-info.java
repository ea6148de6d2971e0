/**
 * Where each key lies in the lake. {@link io.lakestream.tiering.index.BucketIndex} is what a
 * bucket's owner asks; {@link io.lakestream.tiering.index.IndexRebuild} builds it from a lake
 * snapshot, {@link io.lakestream.tiering.index.KeyIndex} keeps it on local disk with bounded
 * memory. A cache: deleting it costs a read of the key columns and nothing else.
 */
package io.lakestream.tiering.index;
