package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.system.StateBoard.SourceState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(SharedFluss.class)
class CaptureIT {
  @RegisterExtension static final TestSource SOURCE = TestSource.logical();

  private static final String ALL_TYPES =
      """
      create type mood as enum ('sad', 'it''s ok', 'happy');
      create domain price as numeric(12, 2);
      create table all_types (
        id bigint primary key, b boolean, s smallint, i integer, f real, d double precision,
        n numeric(20, 6), p price, v varchar(40), c char(5), t text, u uuid, j json, jb jsonb,
        e mood, y bytea, da date, ts timestamp, tz timestamptz, n0 numeric(38, 0) not null default 7)
      """;

  private static String nasty(int base) {
    return """
        insert into all_types values
        (%1$d, true, -32768, 2147483647, 'NaN', '-Infinity', -12345678901234.567891, -0.01,
         '', '', '', '00000000-0000-0000-0000-000000000000', '{"b" : 1,  "a":"x\\u00e9"}',
         '{"b" : 1,  "a":"x\\u00e9"}', 'it''s ok', '', '0001-01-01', '1969-12-31 23:59:59.999999',
         '1969-12-31 23:59:59.000001+02', 99999999999999999999999999999999999999),
        (%1$d + 1, null, null, null, null, null, null, null, null, null, null, null, null, null,
         null, null, null, null, null, -1),
        (%1$d + 2, false, 0, -2147483648, 1.1, 1e-300, 0, 9999999999.99, 'é😀', ' ab ',
         repeat('long é😀 ', 3000), 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'null', 'null', 'sad',
         '\\x00ff10', '0044-03-15 BC', '0044-03-15 12:00:00.5 BC', '12000-01-01 00:00:00.000001+00',
         0),
        (%1$d + 3, false, 32767, 7, -0.0, 0.1, 0.000001, 1, E'tab\\tnew\\nline "q" \\\\ ''', 'abcde',
         'text', gen_random_uuid(), '[]', '[]', 'happy', decode(repeat('00ff', 4000), 'hex'),
         '1582-10-10', '1500-03-01 00:00:00', '2024-03-31 02:30:00.123456+01', 1)
        """
        .formatted(base);
  }

  @Test
  void everyMappedTypeIsTheSameInTheCopyAndInTheStream() {
    SOURCE.createDatabase("types", ALL_TYPES, nasty(1));
    SourceConfig config = SOURCE.config("types", "types");
    Captured captured = new Captured(SOURCE, config, SharedFluss.tables());
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      Cut copied = captured.awaitNow(engine);
      captured.assertSame("public", "all_types", copied);
      assertThat(engine.status().state()).isEqualTo(SourceState.STREAMING);

      SOURCE.run(
          "types", nasty(11), "update all_types set i = 5, b = null where id in (1, 13, 14)");
      captured.assertSame("public", "all_types", captured.awaitNow(engine));
      SOURCE.run("types", "delete from all_types where id < 4");
      captured.assertSame("public", "all_types", captured.awaitNow(engine));
    }
  }
}
