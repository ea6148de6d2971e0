/**
 * What all commands share: exit codes, the one error line, {@code --data}, and the commands that
 * start an instance or look at one from outside. A new command is a class with picocli's
 * {@code @Command}, brought in by a {@link io.lakestream.distribution.cli.CommandProvider}.
 */
package io.lakestream.distribution.cli;
