package io.lakestream.distribution.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;

class FormatTest {
  private static final List<Column> COLUMNS =
      List.of(
          new Column("id", ColumnType.BIGINT, "bigint", true),
          new Column("price", ColumnType.decimal(38, 10), "numeric(38,10)", false),
          new Column("note", ColumnType.STRING, "text", false),
          new Column("at", ColumnType.TIMESTAMP_LTZ, "timestamp with time zone", false));
  private static final OffsetDateTime AT = OffsetDateTime.parse("2026-01-31T12:00:00.000001Z");

  @Test
  void jsonKeepsEveryDigitAndEveryMicrosecond() throws IOException {
    assertThat(
            print(
                Format.JSONL,
                COLUMNS,
                new Object[] {
                  1L, new BigDecimal("12345678901234567890123456.0000000001"), "a\"b\n", AT
                },
                new Object[] {2L, new BigDecimal("0.0000000000"), "", null},
                new Object[] {3L, null, null, AT}))
        .isEqualTo(
            """
            {"id":1,"price":12345678901234567890123456.0000000001,"note":"a\\"b\\n","at":"2026-01-31T12:00:00.000001Z"}
            {"id":2,"price":0.0000000000,"note":"","at":null}
            {"id":3,"price":null,"note":null,"at":"2026-01-31T12:00:00.000001Z"}
            """);
  }

  @Test
  void jsonHasAHomeForEveryType() throws IOException {
    List<Column> columns =
        List.of(
            new Column("b", ColumnType.BOOLEAN, "boolean", false),
            new Column("s", ColumnType.SMALLINT, "smallint", false),
            new Column("f", ColumnType.FLOAT, "real", false),
            new Column("d", ColumnType.DOUBLE, "double precision", false),
            new Column("bytes", ColumnType.BYTES, "bytea", false),
            new Column("day", ColumnType.DATE, "date", false),
            new Column("t", ColumnType.TIMESTAMP, "timestamp without time zone", false));
    assertThat(
            print(
                Format.JSONL,
                columns,
                new Object[] {
                  true,
                  7,
                  0.1f,
                  Double.NaN,
                  ByteBuffer.wrap(new byte[] {1, -1}),
                  LocalDate.of(2026, 1, 31),
                  LocalDateTime.of(2026, 1, 31, 0, 0)
                }))
        .isEqualTo(
            "{\"b\":true,\"s\":7,\"f\":0.1,\"d\":\"NaN\",\"bytes\":\"\\\\x01ff\",\"day\":\"2026-01-31\",\"t\":\"2026-01-31T00:00:00\"}\n");
  }

  @Test
  void csvTellsNullFromTheEmptyTextAndQuotesWhatNeedsIt() throws IOException {
    assertThat(
            print(
                Format.CSV,
                COLUMNS,
                new Object[] {1L, new BigDecimal("1.5000000000"), "", AT},
                new Object[] {2L, null, null, null},
                new Object[] {3L, null, "a,b \"c\"\nd", null},
                new Object[] {4L, null, "a long text that needs no quotes at all", null}))
        .isEqualTo(
            """
            id,price,note,at
            1,1.5000000000,"",2026-01-31 12:00:00.000001+00
            2,,,
            3,,"a,b ""c""
            d",
            4,,a long text that needs no quotes at all,
            """);
  }

  @Test
  void tableTellsNullFromTheEmptyTextAndFromTheTextNull() throws IOException {
    assertThat(
            print(
                Format.TABLE,
                COLUMNS.subList(0, 3),
                new Object[] {1L, new BigDecimal("1.5"), ""},
                new Object[] {20L, null, null},
                new Object[] {3L, null, "NULL"},
                new Object[] {4L, null, "日本\tx"}))
        .isEqualTo(
            """
            id  price  note
            --  -----  -------
             1    1.5
            20   NULL  NULL
             3   NULL  "NULL"
             4   NULL  日本\\tx
            (4 rows)
            """);
  }

  @Test
  void tableWithoutRowsStillShowsItsColumns() throws IOException {
    assertThat(print(Format.TABLE, COLUMNS.subList(0, 1))).isEqualTo("id\n--\n(0 rows)\n");
    assertThat(print(Format.CSV, COLUMNS.subList(0, 1))).isEqualTo("id\n");
    assertThat(print(Format.JSONL, COLUMNS.subList(0, 1))).isEmpty();
  }

  private static String print(Format format, List<Column> columns, Object[]... rows)
      throws IOException {
    StringWriter out = new StringWriter();
    RowOutput output = format.open(out, columns);
    for (Object[] row : rows) {
      output.row(row);
    }
    output.end();
    return out.toString();
  }
}
