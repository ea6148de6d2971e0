package io.lakestream.distribution.query;

import picocli.CommandLine.Command;

@Command(
    name = "quarantine",
    description = {
      "Rows that the view lacks because one of their values has no exact home. A row leaves by itself when it is mended or deleted in the source."
    },
    footer = {
      "",
      "Examples:",
      "  lakestream cdc quarantine list --data ./data",
      "  lakestream cdc quarantine show public.prices 42",
      "  lakestream cdc quarantine retry public.prices --all",
      "  lakestream cdc quarantine drop public.prices '{\"region\":\"eu\",\"id\":\"42\"}'"
    },
    subcommands = {
      QuarantineListCommand.class,
      QuarantineShowCommand.class,
      QuarantineRetryCommand.class,
      QuarantineDropCommand.class
    })
final class QuarantineCommand {}
