/**
 * Capture: a PostgreSQL database into Fluss.
 *
 * <p>{@link io.lakestream.cdc.CaptureEngine} runs one {@code CaptureSession} after the other. Each
 * begins with {@code TableRegistration}, which checks the source, decides between an initial copy
 * and going on, and prepares the Fluss tables, the publication and the slot. Then Debezium hands
 * over batches, and {@code write} puts them into Fluss in the order flush, cut, acknowledge. {@code
 * SourceWatch} beats beside it.
 *
 * <ul>
 *   <li>{@code decode}: from PostgreSQL's values to Fluss rows
 *   <li>{@code write}: from rows to Fluss, cuts and quarantine
 *   <li>{@code position}: what a restart must find again
 * </ul>
 */
package io.lakestream.cdc;
