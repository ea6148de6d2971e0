/**
 * From PostgreSQL's values to Fluss rows.
 *
 * <p>Debezium gets {@link io.lakestream.cdc.decode.SnapshotSelect} for the queries of the initial
 * copy and {@link io.lakestream.cdc.decode.ColumnValues} for every column, so that the copy and the
 * stream agree on each value's form. {@link io.lakestream.cdc.decode.RowDecoder} binds those forms
 * to a table's columns and refuses a schema that is not the registered one; a value without an
 * exact home is an {@link io.lakestream.cdc.decode.UnconvertibleValueException}.
 */
package io.lakestream.cdc.decode;
