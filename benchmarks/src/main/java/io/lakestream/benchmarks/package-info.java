/** Benchmarks. */
package io.lakestream.benchmarks;
