package io.lakestream.distribution.query;

import io.lakestream.distribution.serve.CdcRunCommand;
import picocli.CommandLine.Command;

@Command(
    name = "cdc",
    description = "Capture: runs it as a process of its own, and what to do with one that runs.",
    footer = {
      "",
      "Examples:",
      "  lakestream cdc resync public.orders --data ./data",
      "  lakestream cdc quarantine list --data ./data",
      "  lakestream cdc resync --help"
    },
    subcommands = {CdcRunCommand.class, ResyncCommand.class, QuarantineCommand.class})
final class CdcCommand {}
