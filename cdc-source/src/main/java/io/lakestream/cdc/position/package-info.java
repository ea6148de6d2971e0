/**
 * What capture must find again after a restart, kept in Fluss: Debezium's offsets, whether the
 * initial copy is whole, its tables, and which of them are paused or lack rows.
 */
package io.lakestream.cdc.position;
