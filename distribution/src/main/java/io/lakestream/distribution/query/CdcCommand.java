package io.lakestream.distribution.query;

import picocli.CommandLine.Command;

@Command(
    name = "cdc",
    description = "What to do with the capture of a running instance.",
    subcommands = ResyncCommand.class)
final class CdcCommand {}
