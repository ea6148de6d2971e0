package io.lakestream.distribution.query;

import picocli.CommandLine.Command;

@Command(
    name = "cdc",
    description = "What to do with the capture of a running instance.",
    footer = {
      "",
      "Examples:",
      "  lakestream cdc resync public.orders --data ./data",
      "  lakestream cdc quarantine list --data ./data",
      "  lakestream cdc resync --help"
    },
    subcommands = {ResyncCommand.class, QuarantineCommand.class})
final class CdcCommand {}
