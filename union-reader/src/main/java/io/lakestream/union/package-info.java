/**
 * Union read: one current state out of a lake snapshot and the stream tail behind it.
 *
 * <p>{@link io.lakestream.union.UnionReader} is the front door. A read is planned first ({@code
 * plan}): it pins one lake snapshot, whose own summary says where the stream tail starts, and stop
 * offsets, from the log's end or from a cut. Then it is carried out ({@code read}): the last change
 * of every key in the tail goes into memory, the lake's files stream past it, and what the tail has
 * the last word about is taken from the tail.
 */
package io.lakestream.union;
