package io.lakestream.cdc;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.fixture.SharedFluss;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(SharedFluss.class)
class LargeValuesIT {
  @RegisterExtension static final TestSource SOURCE = TestSource.logical();

  // Fluss's client takes a large row that comes after many small ones and does not write it, unless
  // it is told not to adapt its batches.
  @Test
  void rowsOfMegabytesAfterSmallOnesAreWrittenUpdatedAndMoved() {
    SOURCE.createDatabase(
        "big",
        "create table big (id bigint primary key, v text, w int)",
        "alter table big alter v set storage external",
        "insert into big select i, 's', i from generate_series(1, 50) i");
    SourceConfig config = SOURCE.config("big", "big");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      for (int i = 0; i < 40; i++) {
        SOURCE.run("big", "update big set w = w + 1 where id = " + (i + 1));
        captured.awaitNow(engine);
      }
      SOURCE.run(
          "big",
          "insert into big select 100 + i, repeat(md5(i::text), 32768), 0 from generate_series(1, 6) i",
          "update big set w = 1 where id > 100",
          "update big set id = id + 100 where id > 100",
          """
          begin;
          update big set w = 5 where id = 201;
          update big set v = 'short' where id = 201;
          update big set v = repeat('😀', 200000) where id = 201;
          update big set w = 6 where id = 201;
          commit
          """,
          "insert into big select 300 + i, repeat(md5(i::text), 262144), 0 from generate_series(1, 3) i",
          "update big set w = 1 where id > 300",
          "insert into big values (400, repeat('0123456789', 2000000), 0)");
      captured.assertSame("public", "big", captured.awaitNow(engine));
    }
  }
}
