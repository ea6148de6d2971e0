package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.system.StateBoard.SourceState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(SharedFluss.class)
class MariaDbStreamIT {
  @RegisterExtension static final TestMariaDb SOURCE = new TestMariaDb();

  @Test
  void everyTypeReadsTheSameInTheStreamAsInTheSource() {
    SOURCE.createDatabase("types", MariaDbValues.TABLE);
    SourceConfig config = SOURCE.config("my_types", "types");
    CapturedMariaDb captured = new CapturedMariaDb(SOURCE, config);
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      SOURCE.run("types", MariaDbValues.inserts(1));
      captured.assertSame(engine, "all_types");
      SOURCE.run("types", MariaDbValues.inserts(18446744073709551L));
      SOURCE.run(
          "types",
          "update all_types set i = 5, v = null, y = 2024 where id in (1, 2, 3)",
          "delete from all_types where id = 4");
      captured.assertSame(engine, "all_types");
      assertThat(engine.status().state()).isEqualTo(SourceState.STREAMING);
    }
  }
}
