/**
 * The commands that read the view of a running instance: {@code describe}, {@code read}, {@code
 * wait}, {@code verify}.
 *
 * <p>{@code ReadCommand} shows how a read goes: {@code TableChoice} finds the table, {@code
 * WhereClause} turns the condition into an Iceberg expression, the union reader gives the rows, and
 * {@code Format} prints them.
 */
package io.lakestream.distribution.query;
