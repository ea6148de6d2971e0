/**
 * Figures beside a baseline, for {@code lakestream bench run SUITE}.
 *
 * <p>A {@link io.lakestream.benchmarks.Suite} runs the real thing, checks its answer against the
 * source, and only then names {@link io.lakestream.benchmarks.Figure}s, one line each. Start at
 * {@link io.lakestream.benchmarks.BenchCommand}.
 */
package io.lakestream.benchmarks;
