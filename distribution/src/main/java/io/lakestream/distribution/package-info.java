/**
 * The {@code lakestream} command.
 *
 * <p>{@link io.lakestream.distribution.Main} finds the sub-commands and turns whatever they throw
 * into one line and an exit code. A command that starts something ({@code up}, {@code demo}) builds
 * a {@link io.lakestream.distribution.laptop.LaptopInstance}, which writes its endpoints into the
 * data folder; every other command opens an {@link io.lakestream.distribution.laptop.Instance}
 * through them.
 *
 * <ul>
 *   <li>{@code cli}: what all commands share, and the commands that start or inspect an instance
 *   <li>{@code config}: {@code lakestream.yaml}
 *   <li>{@code laptop}: everything in one JVM below one data folder
 * </ul>
 */
package io.lakestream.distribution;
