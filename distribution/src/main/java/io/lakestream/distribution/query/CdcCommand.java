package io.lakestream.distribution.query;

import io.lakestream.distribution.serve.CdcRunCommand;
import picocli.CommandLine.Command;

@Command(
    name = "cdc",
    description =
        "Capture: checks its sources, runs it as a process of its own, and steers one that runs.",
    footer = {
      "",
      "Examples:",
      "  lakestream cdc check --config lakestream.yaml",
      "  lakestream cdc resync public.orders --data ./data",
      "  lakestream cdc quarantine list --data ./data",
      "  lakestream cdc resync --help"
    },
    subcommands = {
      CheckCommand.class,
      CdcRunCommand.class,
      ResyncCommand.class,
      QuarantineCommand.class
    })
final class CdcCommand {}
