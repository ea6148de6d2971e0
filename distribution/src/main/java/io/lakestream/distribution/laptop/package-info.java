/**
 * Laptop mode: ZooKeeper, Fluss, the Flink mini cluster with the tiering job, capture and, for the
 * demo, PostgreSQL, all below one data folder.
 *
 * <p>Start at {@link io.lakestream.distribution.laptop.LaptopInstance}, which starts the parts in
 * order and stops them in reverse. {@link io.lakestream.distribution.laptop.DataFolder} is the lock
 * that makes one process its owner; {@link io.lakestream.distribution.laptop.Endpoints} is what it
 * writes for other processes, which come in through {@link
 * io.lakestream.distribution.laptop.Instance}.
 */
package io.lakestream.distribution.laptop;
