package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.StateBoard.TableState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(SharedFluss.class)
class MariaDbSchemaIT {
  @RegisterExtension static final TestMariaDb SOURCE = new TestMariaDb();

  private static final List<String> CHANGED =
      List.of(
          "constant",
          "volatiles",
          "plain",
          "dropped",
          "readded",
          "renamed",
          "widened",
          "narrowed",
          "rekeyed",
          "placed",
          "recreated",
          "swapped",
          "ranged");

  private static void awaitGeneration(String source, String table, int number) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .untilAsserted(
            () ->
                assertThat(
                        SharedFluss.tables()
                            .find(new TableName(source, source, table))
                            .map(live -> live.generation().number())
                            .orElse(0))
                    .as(table)
                    .isGreaterThanOrEqualTo(number));
  }

  @Test
  void everyChangeOfShapeIsFollowedInTheStreamAndWhileCaptureIsDown() {
    SOURCE.createDatabase(
        "my_shapes",
        "create table constant (id int primary key, v int)",
        "create table volatiles (id int primary key, v int)",
        "create table plain (id int primary key, v int)",
        "create table dropped (id int primary key, note varchar(9), v int)",
        "create table readded (id int primary key, note varchar(9))",
        "create table renamed (id int primary key, v int)",
        "create table widened (id int primary key, v int, n decimal(10,2))",
        "create table narrowed (id int primary key, v bigint)",
        "create table rekeyed (id int primary key, k int not null default 3, v int)",
        "create table placed (id int primary key, v int)",
        "create table recreated (id int primary key, v int)",
        "create table swapped (id int primary key, v int)",
        "create table ranged (id int primary key, v int) partition by range(id)"
            + " (partition p0 values less than (10), partition p1 values less than (100))",
        "create table other (id int primary key, v int)");
    for (String table : CHANGED) {
      SOURCE.run("my_shapes", "insert into " + table + " (id) select seq from seq_1_to_50");
    }
    SourceConfig config = SOURCE.config("my_shapes", "my_shapes");
    CapturedMariaDb captured = new CapturedMariaDb(SOURCE, config);
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      captured.awaitNow(engine);
      SOURCE.run(
          "my_shapes",
          "update constant set v = 1 where id = 1",
          "alter table constant add column w varchar(9) default 'x'",
          "insert into constant values (1001, 1, 'y')",
          "alter table volatiles add column w varchar(40) default (uuid())",
          "update volatiles set v = 7 where id = 1",
          "alter table plain add column w int",
          "update plain set w = 5 where id = 5",
          "alter table dropped drop column note",
          "insert into dropped values (1001, 1)",
          "alter table readded drop column note",
          "alter table readded add column note int",
          "insert into readded values (1001, 9)",
          "alter table renamed change v w int",
          "update renamed set w = 3 where id = 3",
          "alter table widened modify v bigint, modify n decimal(14,4)",
          "insert into widened values (1001, 5000000000, 1.2345)",
          "alter table narrowed modify v int",
          "update narrowed set v = 3 where id = 3",
          "alter table rekeyed drop primary key, add primary key (k, id)",
          "update rekeyed set v = 7 where id = 3",
          "alter table placed add column w int default 4 first, add column x int default 6 after id",
          "update placed set w = 9 where id = 9",
          "drop table recreated",
          "create table recreated (k varchar(9) primary key, id date)",
          "insert into recreated values ('a', '2024-01-01')",
          // What online schema change tools do, here without another shape.
          "create table swapped_new like swapped",
          "insert into swapped_new select id, 77 from swapped",
          "rename table swapped to swapped_old, swapped_new to swapped",
          "insert into swapped values (1001, 1)",
          "alter table ranged drop partition p0",
          "insert into ranged values (60, 1)",
          "insert into other values (1, 1)");
      for (String table : CHANGED) {
        awaitGeneration("my_shapes", table, 2);
      }
      captured.awaitNow(engine);
      for (String table : CHANGED) {
        captured.assertSame(engine, table);
      }
      captured.assertSame(engine, "other");
      captured.assertSame(engine, "swapped_old");
    }
    SOURCE.run(
        "my_shapes",
        "update plain set v = 4 where id = 4",
        "alter table plain modify v varchar(20)",
        "update plain set v = 'five' where id = 5",
        "rename table swapped to swapped_off, swapped_old to swapped",
        "insert into swapped values (1002, 1)",
        "insert into other values (2, 2)");
    try (CaptureEngine engine = CaptureEngine.start(config, SharedFluss.tables())) {
      awaitGeneration("my_shapes", "plain", 3);
      awaitGeneration("my_shapes", "swapped", 3);
      captured.assertSame(engine, "plain");
      captured.assertSame(engine, "swapped");
      captured.assertSame(engine, "other");
      captured.assertSame(engine, "swapped_off");
      assertThat(engine.status().tables())
          .filteredOn(t -> t.name().equals("my_shapes.swapped_old"))
          .singleElement()
          .satisfies(t -> assertThat(t.state()).isEqualTo(TableState.PAUSED));
    }
  }
}
