/**
 * From the log to files: {@link io.lakestream.tiering.write.TableWriter} reads a round's ranges,
 * {@link io.lakestream.tiering.write.BucketWriter} keeps the last change of each key and writes
 * Parquet rows and deletion vectors. Commits nothing.
 */
package io.lakestream.tiering.write;
