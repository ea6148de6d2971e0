package io.lakestream.distribution.query;

import io.lakestream.tables.system.CaptureRequests.Kind;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "drop",
    description = {
      "Forgets rows in quarantine: the view goes on without them until they change in the source."
    },
    footer = {
      "",
      "Examples:",
      "  lakestream cdc quarantine drop public.prices 42",
      "  lakestream cdc quarantine drop public.prices --all"
    })
final class QuarantineDropCommand implements Callable<Integer> {
  @Mixin private QuarantineRequest request;

  @Override
  public Integer call() {
    return request.send(Kind.DROP);
  }
}
