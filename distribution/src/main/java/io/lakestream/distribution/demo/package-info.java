/**
 * {@code lakestream demo}: TPC-H in a real PostgreSQL, a workload of real transactions, and a panel
 * that shows how they travel.
 *
 * <p>{@link io.lakestream.distribution.demo.DemoCommand} is the whole story in order: start, load
 * ({@link io.lakestream.distribution.demo.TpchLoader}), capture, run ({@link
 * io.lakestream.distribution.demo.Workload}), show, and at the end verify.
 */
package io.lakestream.distribution.demo;
