/**
 * PostgreSQL as a source: its catalog, its log position, its slot and publication, and what its
 * values look like.
 */
package io.lakestream.cdc.postgres;
