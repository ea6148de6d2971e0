/**
 * What the stages share: they meet only here, in Fluss tables and in the summaries of lake
 * snapshots.
 *
 * <ul>
 *   <li>{@code schema}: a table's definition, its types in every home, its key as bytes
 *   <li>{@code ddl}: the Lakestream tables of a Fluss cluster
 *   <li>{@code change}: ranges of the Fluss log, source positions, cuts
 *   <li>{@code system}: our own tables in Fluss: cuts, progress, states, quarantine
 *   <li>{@code lake}: the Iceberg side: layout, catalog, the offsets in a snapshot's summary
 *   <li>{@code error}: what goes wrong at module edges
 * </ul>
 */
package io.lakestream.tables;
