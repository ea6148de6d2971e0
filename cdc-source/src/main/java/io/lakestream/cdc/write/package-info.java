/**
 * From rows to Fluss.
 *
 * <p>{@link io.lakestream.cdc.write.BatchWriter} takes a batch of Debezium's records: it routes
 * each to the {@code TableCapture} of its table, which upserts and deletes through a {@code
 * TableWriter}; {@code PendingWrites} knows what is not durable yet and, after the flush, which
 * offsets were reached. Then comes the cut, and the caller acknowledges the source.
 */
package io.lakestream.cdc.write;
