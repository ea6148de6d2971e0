/**
 * Suite {@code capture}: how fast a source's rows and changes are durable in Fluss, beside the same
 * Debezium engine that hands its records to nobody.
 *
 * <p>{@link io.lakestream.benchmarks.capture.CaptureSuite} runs the databases and the load. Each
 * {@link io.lakestream.benchmarks.capture.Subject} runs in a process of its own with the same heap;
 * Fluss has a process of its own, too.
 */
package io.lakestream.benchmarks.capture;
