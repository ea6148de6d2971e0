package io.lakestream.tables.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.tables.change.LogRangeReader;
import io.lakestream.tables.change.OffsetRange;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.fixture.Definitions;
import io.lakestream.tables.fixture.SharedFluss;
import io.lakestream.tables.fixture.TableWriter;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.scanner.ScanRecord;
import org.apache.fluss.row.InternalRow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedFluss.class)
class TypesInFlussIT {
  private static final String[] COLUMNS = {
    "b boolean",
    "s smallint",
    "i int",
    "l bigint",
    "f float",
    "d double",
    "p decimal(12,2)",
    "q decimal(38,10)",
    "t string",
    "y bytes",
    "a date",
    "m timestamp",
    "z timestamp_ltz"
  };
  private static final List<String> NAMES =
      List.of("b", "s", "i", "l", "f", "d", "p", "q", "t", "y", "a", "m", "z");

  private static final Object[] ROW = {
    true,
    -7,
    1 << 30,
    Long.MIN_VALUE,
    -0.5f,
    1e-300,
    new BigDecimal("-12345678.90"),
    new BigDecimal("1234567890123456789012345678.0123456789"),
    "é😀 _",
    ByteBuffer.wrap(new byte[] {0, -1}),
    LocalDate.of(-43, 3, 15),
    LocalDateTime.parse("1500-03-01T23:59:59.999999"),
    OffsetDateTime.parse("1969-12-31T23:59:59.000001Z")
  };
  private static final Object[] OTHER = {
    false,
    0,
    0,
    0L,
    Float.NaN,
    Double.NEGATIVE_INFINITY,
    new BigDecimal("0.00"),
    new BigDecimal("0E-10"),
    "",
    ByteBuffer.wrap(new byte[0]),
    LocalDate.EPOCH,
    LocalDateTime.parse("2024-01-01T00:00:00"),
    OffsetDateTime.parse("9999-12-31T23:59:59.999999Z")
  };

  private static List<InternalRow> writeAndRead(TableDefinition definition, Object[]... rows) {
    LiveTable live = SharedFluss.tables().create(definition);
    try (TableWriter writer = TableWriter.open(SharedFluss.tables(), live)) {
      for (Object[] row : rows) {
        writer.upsert(row);
      }
      writer.flush();
    }
    return changes(live);
  }

  private static List<InternalRow> changes(LiveTable live) {
    List<InternalRow> read = new ArrayList<>();
    Table table = SharedFluss.tables().openTable(live.path());
    long end = SharedFluss.tables().endOffsets(live.path(), 1).get(0);
    try (LogRangeReader reader =
        LogRangeReader.open(table, Map.of(0, new OffsetRange(0, end)), Duration.ofSeconds(20))) {
      while (!reader.isFinished()) {
        for (ScanRecord change : reader.poll().getOrDefault(0, List.of())) {
          read.add(change.getRow());
        }
      }
    }
    return read;
  }

  @Test
  void everyTypeComesBackFromTheLogAsItWasWritten() {
    TableDefinition definition = Definitions.define("types", "all", 1, List.of("l"), COLUMNS);
    Object[] nulls = new Object[COLUMNS.length];
    nulls[3] = 5L;
    List<InternalRow> rows = writeAndRead(definition, ROW, OTHER, nulls);
    assertThat(rows).hasSize(3);
    assertThat(values(definition, rows.get(0))).containsExactly(ROW);
    assertThat(values(definition, rows.get(1))).containsExactly(OTHER);
    assertThat(values(definition, rows.get(2))).containsExactly(nulls);
  }

  private static Object[] values(TableDefinition definition, InternalRow row) {
    Object[] values = new Object[definition.columns().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = definition.columns().get(i).type().readFluss(row, i);
    }
    return values;
  }

  @Test
  void aKeyHasTheSameBytesFromALogRowAndFromJavaValuesForEveryType() {
    for (int column = 0; column < NAMES.size(); column++) {
      TableDefinition definition =
          Definitions.define(
              "keys", "by_" + NAMES.get(column), 1, List.of(NAMES.get(column)), COLUMNS);
      KeyCodec codec = KeyCodec.of(definition);
      List<InternalRow> rows = writeAndRead(definition, ROW, OTHER);
      assertThat(rows).hasSize(2);
      assertThat(codec.encodeRow(rows.get(0))).isEqualTo(codec.encodeKey(ROW[column]));
      assertThat(codec.encodeRow(rows.get(1))).isEqualTo(codec.encodeKey(OTHER[column]));
      assertThat(codec.encodeKey(ROW[column])).isNotEqualTo(codec.encodeKey(OTHER[column]));
    }
  }

  @Test
  void aCompositeKeyFollowsTheOrderOfTheKeyNotOfTheColumns() {
    TableDefinition definition =
        Definitions.define(
            "keys", "composite", 1, List.of("c", "a"), "a string", "b string", "c string");
    KeyCodec codec = KeyCodec.of(definition);
    List<InternalRow> rows =
        writeAndRead(definition, new Object[] {"1", "x", "2"}, new Object[] {"2", "x", "1"});
    assertThat(codec.encodeRow(rows.get(0))).isEqualTo(codec.encodeKey("2", "1"));
    assertThat(codec.encodeRow(rows.get(1))).isEqualTo(codec.encodeKey("1", "2"));
    assertThat(codec.encodeKey("1", "2")).isNotEqualTo(codec.encodeKey("2", "1"));
  }
}
