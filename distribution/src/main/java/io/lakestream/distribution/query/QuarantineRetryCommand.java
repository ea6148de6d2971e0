package io.lakestream.distribution.query;

import io.lakestream.tables.system.CaptureRequests.Kind;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "retry",
    description = {
      "Reads rows in quarantine from the source again, and brings those that convert now into the view."
    },
    footer = {
      "",
      "Examples:",
      "  lakestream cdc quarantine retry public.prices 42",
      "  lakestream cdc quarantine retry public.prices --all"
    })
final class QuarantineRetryCommand implements Callable<Integer> {
  @Mixin private QuarantineRequest request;

  @Override
  public Integer call() {
    return request.send(Kind.RETRY);
  }
}
