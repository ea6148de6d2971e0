/**
 * What capture knows of a source.
 *
 * <p>{@link io.lakestream.cdc.source.SourceConfig} names a database, {@link
 * io.lakestream.cdc.source.Sources} finds what can talk to it. {@link
 * io.lakestream.cdc.source.Source} describes its stream, {@link
 * io.lakestream.cdc.source.SourceConnection} answers questions: which tables there are ({@link
 * io.lakestream.cdc.source.Discovery}), where its log stands, whether changes are lost.
 */
package io.lakestream.cdc.source;
