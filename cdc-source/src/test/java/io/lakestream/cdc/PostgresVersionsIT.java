package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.fixture.SharedFluss;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same source on PostgreSQL 14, 15 and 18; all other tests run on 17. */
@ExtendWith(SharedFluss.class)
class PostgresVersionsIT {
  private static final String[] SHOP = {
    "create table item (id uuid primary key, name text, price numeric(12, 2), tags text[],"
        + " at timestamptz, size int4range, spec jsonb, picture bytea, weight real, odd numeric)",
    "alter table item alter column name set storage external",
    "create table stock (shelf int, item int, pieces bigint not null, primary key (item, shelf))",
    "insert into item select md5('item' || g)::uuid, repeat('name ' || g || ' ', 500), g * 1.25,"
        + " array['a', null, 'b,' || g], '2026-01-01 00:00+00'::timestamptz + g * interval '1.5 s',"
        + " int4range(g, g + 5), jsonb_build_object('n', g, 'x', null), decode(md5('p' || g), 'hex'),"
        + " g / 3.0, g * 1e-20 from generate_series(1, 200) g",
    "insert into stock select g % 7, g, g from generate_series(1, 200) g"
  };

  @ParameterizedTest
  @ValueSource(ints = {14, 15, 18})
  void copyChangesAndRestartGiveTheSource(int version) throws Exception {
    TestSource source = TestSource.logical().version(version);
    source.start();
    try {
      String name = "pg" + version;
      source.createDatabase("shop", SHOP);
      SourceConfig config = source.config(name, "shop");
      Captured captured = new Captured(source, config, SharedFluss.tables());
      try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
        assertThat(captured.awaitNow(engine)).isNotNull();
        change(source);
        assertSame(captured, captured.awaitNow(engine));
      }
      source.run(
          "shop", "delete from item where price > 200", "insert into stock values (9, 9, 9)");
      try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
        assertSame(captured, captured.awaitNow(engine));
        source.run("shop", "truncate stock", "insert into stock values (1, 2, 3)");
        assertSame(captured, captured.awaitNow(engine));
      }
    } finally {
      source.stop();
    }
  }

  private static void change(TestSource source) {
    source.run(
        "shop",
        // The long name is not in the log of these two.
        "update item set price = price + 1 where price < 50",
        "update item set id = md5('moved' || price)::uuid where price > 240",
        "begin; update stock set item = item + 1; delete from stock where shelf = 3; savepoint s;"
            + " delete from stock; rollback to s; commit",
        "insert into item (id, odd) values (md5('x')::uuid, 'NaN'), (md5('y')::uuid, 12345678901234567890)");
  }

  private static void assertSame(Captured captured, Cut cut) {
    captured.assertSame("public", "item", cut);
    captured.assertSame("public", "stock", cut);
  }

  @Test
  void anOlderServerIsRefusedByItsVersion() throws IOException {
    TestSource source = TestSource.logical().version(13);
    source.start();
    try {
      source.createDatabase("shop", "create table t (id int primary key)");
      assertThatThrownBy(
              () -> CaptureEngine.start(source.config("pg13", "shop"), SharedFluss.tables()))
          .isInstanceOfSatisfying(
              LakestreamException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_NOT_READY))
          .hasMessageContaining("13")
          .hasMessageContaining("14");
    } finally {
      source.stop();
    }
  }
}
