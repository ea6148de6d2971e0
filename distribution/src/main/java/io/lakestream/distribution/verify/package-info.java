/**
 * Proves that the view is the source: row by row, column by column.
 *
 * <p>{@link io.lakestream.distribution.verify.Verifier} takes one position, waits until the view
 * covers it, and compares every table with what the source holds: {@link
 * io.lakestream.distribution.verify.SourceReader} reads the source's own text form of each value,
 * {@code RowText} gives a view row the same form, {@code RowSpill} parts both sides by key into
 * files, so that memory holds one part of one table at a time.
 */
package io.lakestream.distribution.verify;
