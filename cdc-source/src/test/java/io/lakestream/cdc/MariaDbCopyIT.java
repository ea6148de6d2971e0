package io.lakestream.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cdc.mariadb.MariaDbSource;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.TextForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.fluss.row.GenericRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MariaDbCopyIT {
  @RegisterExtension static final TestMariaDb SOURCE = new TestMariaDb();

  private static SourceTable table(SourceConfig config, String name) {
    try (SourceConnection connection = SourceConnection.open(config)) {
      return connection.discover().tables().stream()
          .filter(t -> t.definition().name().table().equals(name))
          .findFirst()
          .orElseThrow();
    }
  }

  private static String text(SourceTable table, GenericRow row) {
    List<String> values = new ArrayList<>();
    List<Column> columns = table.definition().columns();
    for (int i = 0; i < columns.size(); i++) {
      Object value = columns.get(i).type().readFluss(row, i);
      values.add(value == null ? null : TextForm.print(columns.get(i).type(), value));
    }
    return String.valueOf(values);
  }

  private static List<TableCopy.Chunk> chunks(TableCopy copy, int rows, long bytes) {
    List<TableCopy.Chunk> chunks = new ArrayList<>();
    Optional<List<String>> after = Optional.empty();
    do {
      TableCopy.Chunk chunk = copy.next(after, rows, bytes);
      chunks.add(chunk);
      after = chunk.lastKey();
    } while (after.isPresent());
    return chunks;
  }

  private static void assertCopied(SourceConfig config, String name, int rows) {
    SourceTable table = table(config, name);
    try (TableCopy copy = new MariaDbSource(config).copy(table)) {
      TreeMap<String, Integer> copied = new TreeMap<>();
      for (TableCopy.Chunk chunk : chunks(copy, rows, Long.MAX_VALUE)) {
        assertThat(chunk.rows()).hasSizeLessThanOrEqualTo(rows);
        assertThat(chunk.unconvertible()).isEmpty();
        chunk.rows().forEach(row -> copied.merge(text(table, row), 1, Integer::sum));
      }
      assertThat(copied.entrySet().stream().map(e -> e.getKey() + " x" + e.getValue()).toList())
          .as(name)
          .isEqualTo(SOURCE.rows(config.database(), name));
    }
  }

  @Test
  void everyTypeReadsTheSameInTheCopyAsInTheSource() {
    SOURCE.createDatabase("copied", MariaDbValues.TABLE);
    SOURCE.run("copied", MariaDbValues.inserts(1));
    SOURCE.run("copied", MariaDbValues.inserts(18446744073709551L));
    assertCopied(SOURCE.config("copied", "copied"), "all_types", 3);
  }

  @Test
  void chunksOfTwoRowsReadEveryRowOnceWhateverTheKey() {
    SOURCE.createDatabase(
        "chunked",
        "create table ci (k varchar(20) collate utf8mb4_general_ci primary key, v int)",
        "insert into ci values ('0', 1), ('1', 2), ('a', 3), ('B', 4), ('é', 5), ('Z', 6), ('', 7),"
            + " ('😀', 8)",
        "create table la (k varchar(20) character set latin1 primary key, v int)",
        "insert into la values ('é', 1), ('e', 2) on duplicate key update v = 3",
        "insert into la values ('z', 4), ('€', 5), ('a', 6)",
        "create table nopad (k varchar(20) collate utf8mb4_nopad_bin primary key)",
        "insert into nopad values ('a'), ('a '), ('a  '), ('A'), ('\\0'), ('')",
        "create table en (e enum('z','a','m','b','q') primary key, v int)",
        "insert into en values ('a', 1), ('b', 2), ('m', 3), ('q', 4), ('z', 5)",
        "create table se (s set('z','a','m') primary key)",
        "insert into se values (''), ('z'), ('a'), ('z,a'), ('m'), ('z,m'), ('a,m'), ('z,a,m')",
        "create table three (a int, b varchar(5), c datetime(3), v int, primary key (c, a, b))",
        "insert into three select seq mod 3, char(97 + seq mod 5), "
            + "'2024-01-01' + interval seq mod 4 second, seq from seq_0_to_59",
        "create table un (id bigint unsigned primary key)",
        "insert into un values (0), (1), (9223372036854775807), (9223372036854775808),"
            + " (18446744073709551615)",
        "create table de (d decimal(65,30) primary key)",
        "insert into de values (-1.5), (0), (0.000000000000000000000000000001),"
            + " (99999999999999999999999999999999999.999999999999999999999999999999)",
        "create table da (d date primary key)",
        "insert into da values ('0001-01-01'), ('1969-12-31'), ('2024-02-29'), ('9999-12-31')",
        "create table ts (t timestamp(6) primary key)",
        "insert into ts values ('2024-03-31 01:30:00.1'), ('2024-03-31 01:30:00.2'),"
            + " ('1999-01-01 00:00:00')",
        "create table ti (t time(2) primary key)",
        "insert into ti values ('-838:59:59'), ('-00:00:00.5'), ('0:0:0'), ('00:00:01'),"
            + " ('99:00:00'), ('100:00:00')",
        "create table bi (b bit(64) primary key)",
        "insert into bi values (b'0'), (b'1'), (0xFFFFFFFFFFFFFFFF), (0x8000000000000000)",
        "create table bn (b binary(3) primary key)",
        "insert into bn values (x''), (x'00ff'), (x'ff'), (x'010203'), (x'000001')",
        "create table vb (b varbinary(9) primary key)",
        "insert into vb values (x''), (x'00'), (x'0000'), (x'ff'), (x'01')",
        "create table uu (u uuid primary key)",
        "insert into uu select uuid() from seq_1_to_9",
        "insert into uu values ('00000000-0000-0000-0000-000000000000'),"
            + " ('ffffffff-ffff-4fff-bfff-ffffffffffff'), ('123e4567-e89b-12d3-a456-426614174000')",
        "create table i6 (i inet6 primary key)",
        "insert into i6 values ('::'), ('::1'), ('::1.2.3.4'), ('ffff::'), ('2001:db8::1')",
        "create table i4 (i inet4 primary key)",
        "insert into i4 values ('0.0.0.0'), ('255.255.255.255'), ('10.0.0.1'), ('9.0.0.1')",
        "create table ye (y year primary key)",
        "insert into ye values (0), (1901), (2155), (2024)",
        "create table pre (t text, v int, primary key (t(10)))",
        "insert into pre values ('abc', 1), ('abd', 2), ('', 3), ('zzzzzzzzzzzzzzz', 4)",
        "create table long_k (k varchar(1500) character set latin1 primary key)",
        "insert into long_k select concat(repeat('k', 1490), seq) from seq_10_to_20",
        "create table my (id int primary key, v int) engine = MyISAM",
        "insert into my select seq, seq from seq_1_to_5");
    SourceConfig config = SOURCE.config("chunked", "chunked");
    try (SourceConnection connection = SourceConnection.open(config)) {
      assertThat(connection.discover().refusals()).isEmpty();
    }
    for (String name :
        List.of(
            "ci", "la", "nopad", "en", "se", "three", "un", "de", "da", "ts", "ti", "bi", "bn",
            "vb", "uu", "i6", "i4", "ye", "pre", "long_k", "my")) {
      assertCopied(config, name, 2);
    }
  }

  @Test
  void aChunkHasSeenJustWhatLiesBeforeItsPlaceInTheBinlog() {
    SOURCE.createDatabase("seen", "create table t (id int primary key)");
    SourceConfig config = SOURCE.config("seen", "seen");
    SourceTable table = table(config, "t");
    try (TableCopy copy = new MariaDbSource(config).copy(table);
        SourceConnection connection = SourceConnection.open(config)) {
      SOURCE.run("seen", "insert into t values (1)");
      SourcePosition before = connection.mark();
      TableCopy.Chunk chunk = copy.next(Optional.empty(), 10, 1000);
      assertThat(chunk.rows()).hasSize(1);
      assertThat(chunk.seen().position()).isEqualTo(before);
      assertThat(chunk.seen().includes(before.ordinal())).isTrue();
      SOURCE.run("seen", "insert into t values (2)");
      SourcePosition after = connection.mark();
      assertThat(chunk.seen().includes(before.ordinal() + 1)).isFalse();
      assertThat(chunk.seen().includes(after.ordinal())).isFalse();
      TableCopy.Chunk next = copy.next(Optional.empty(), 10, 1000);
      assertThat(next.rows()).hasSize(2);
      assertThat(next.seen().includes(after.ordinal())).isTrue();
      assertThat(copy.estimateRows()).isNotNegative();
    }
  }

  @Test
  void wideRowsEndAChunkAndImpossibleDatesAreNamed() {
    SOURCE.createDatabase(
        "wide",
        "create table t (id int primary key, b longblob, d date)",
        "insert into t select seq, repeat('x', 300000), null from seq_1_to_9",
        "set sql_mode = ''",
        "insert into t values (100, null, '0000-00-00')");
    SourceConfig config = SOURCE.config("wide", "wide");
    SourceTable table = table(config, "t");
    try (TableCopy copy = new MariaDbSource(config).copy(table)) {
      List<TableCopy.Chunk> chunks = chunks(copy, 1000, 1 << 20);
      assertThat(chunks).hasSizeGreaterThan(2);
      assertThat(chunks).allSatisfy(chunk -> assertThat(chunk.rows()).hasSizeLessThanOrEqualTo(4));
      assertThat(chunks.stream().mapToInt(chunk -> chunk.rows().size()).sum()).isEqualTo(9);
      assertThat(chunks.stream().flatMap(chunk -> chunk.unconvertible().stream()))
          .singleElement()
          .satisfies(
              row -> {
                assertThat(row.key()).isEqualTo("{\"id\":\"100\"}");
                assertThat(row.column()).isEqualTo("d");
                assertThat(row.value()).isEqualTo("0000-00-00");
                assertThat(row.keyRow()).isPresent();
              });
    }
  }
}
