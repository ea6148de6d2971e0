/** Suite {@code chain}: the demo as a user starts it, from the source's commit to view and lake. */
package io.lakestream.benchmarks.chain;
