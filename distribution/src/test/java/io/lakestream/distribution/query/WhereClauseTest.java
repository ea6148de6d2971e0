package io.lakestream.distribution.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.lake.LakeLayout;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.InternalRecordWrapper;
import org.apache.iceberg.expressions.Evaluator;
import org.apache.iceberg.expressions.Expression;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions are judged by the rows they select, as SQL would. */
class WhereClauseTest {
  private static final TableDefinition TABLE =
      new TableDefinition(
          new TableName("shop", "public", "things"),
          List.of(
              new Column("id", ColumnType.BIGINT, "bigint", true),
              new Column("n", ColumnType.INT, "integer", false),
              new Column("price", ColumnType.decimal(7, 2), "numeric(7,2)", false),
              new Column("name", ColumnType.STRING, "text", false),
              new Column("code", ColumnType.STRING, "character(5)", false),
              new Column("day", ColumnType.DATE, "date", false),
              new Column("at", ColumnType.TIMESTAMP_LTZ, "timestamp with time zone", false),
              new Column("local", ColumnType.TIMESTAMP, "timestamp without time zone", false),
              new Column("ok", ColumnType.BOOLEAN, "boolean", false),
              new Column("x", ColumnType.DOUBLE, "double precision", false),
              new Column("raw", ColumnType.BYTES, "bytea", false),
              new Column("Big", ColumnType.SMALLINT, "smallint", false)),
          List.of("id"),
          1);
  private static final Schema SCHEMA = LakeLayout.schema(TABLE);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          id = 1 | 1
          1 = id | 1
          2 <= id | 2 3
          id <> 1 | 2 3
          n = 10 | 1
          n <> 10 | 2
          n < 100 | 1 2
          NOT n < 15 | 2
          NOT (n = 10) | 2
          NOT (n = 10 OR n IS NULL) | 2
          NOT (n = 10 AND id = 1) | 2 3
          n IS NULL | 3
          n IS NOT NULL | 1 2
          NOT n IS NULL | 1 2
          n IN (10, 30) | 1
          n NOT IN (10, 30) | 2
          NOT n IN (10, 30) | 2
          n BETWEEN 10 AND 15 | 1
          n NOT BETWEEN 10 AND 15 | 2
          n > 10.5 | 2
          n = 10.5 |
          n <> 10.5 | 1 2
          n < 99999999999 | 1 2
          n > 99999999999 |
          n > -99999999999999999999 | 1 2
          price = 1.5 | 1
          price < 1.501 | 1
          price <= 1.499 |
          price >= 1.501 | 2
          price > '1.50' | 2
          price > 100000000 |
          name = '' | 2
          name IS NULL | 3
          name LIKE 'ab%' | 1
          name NOT LIKE 'ab%' | 2
          name LIKE 'abc' | 1
          name = 'it''s' |
          code = 'A' | 1
          code <> 'A' | 2
          code IN ('A', 'B') | 1 2
          day = '2026-01-31' | 1
          day > DATE '2026-01-31' | 2
          at = '2026-01-31T12:00:00.000001Z' | 1
          at = '2026-01-31 13:00:00.000001+01' | 1
          at > '2026-01-31 12:00:00' | 1
          at < '2026-01-31' | 2
          local >= TIMESTAMP '2026-01-31 12:00' | 1
          ok | 1
          NOT ok | 2
          ok = FALSE | 2
          ok IS TRUE | 1
          x = 0 | 1 2
          x < 0 |
          x >= 0 | 1 2
          x > -1e300 | 1 2
          raw = '\\x01ff' | 1
          "Big" = 3 | 1
          Big = 3 | 1
          id = 1 OR id = 2 AND n = 0 | 1
          (id = 1 OR id = 2) AND n = 20 | 2
          """)
  void selectsWhatSqlSelects(String condition, String ids) {
    assertThat(selected(condition)).isEqualTo(ids == null ? "" : ids);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          lower(name) = 'a' | lower(name)
          n + 1 = 2 | n + 1
          n = id | Cannot compare column id with n
          n = NULL | Use IS NULL or IS NOT NULL
          n = 'ten' | 'ten': it is no int
          day = '2026-13-01' | it is no date
          name LIKE '%b%' | LIKE knows a text with one % at its end
          name ILIKE 'a%' | Cannot use name ILIKE 'a%'
          n LIKE '1%' | Cannot use n LIKE '1%'
          nme = 'a' | no column 'nme'. Did you mean 'name'?
          "ID" = 1 | Texts take single quotes
          things.id = 1 | by its plain name
          EXISTS (SELECT 1) | Cannot use EXISTS
          n IN (SELECT 1) | Cannot use n IN
          x = 'NaN' | it is no double
          n = | it is not an SQL condition
          n | Cannot use n
          """)
  void namesThePartItDoesNotKnow(String condition, String message) {
    assertThatThrownBy(() -> WhereClause.parse(condition, TABLE))
        .isInstanceOf(LakestreamException.class)
        .hasMessageContaining(message);
  }

  @Test
  void conditionsOfSeveralLinesAreUnderstood() {
    assertThat(selected("id = 1\n  OR id = 3 -- both")).isEqualTo("1 3");
  }

  private static String selected(String condition) {
    Expression expression = WhereClause.parse(condition, TABLE);
    Evaluator evaluator = new Evaluator(SCHEMA.asStruct(), expression);
    InternalRecordWrapper wrapper = new InternalRecordWrapper(SCHEMA.asStruct());
    List<String> ids = new ArrayList<>();
    for (GenericRecord row : rows()) {
      if (evaluator.eval(wrapper.wrap(row))) {
        ids.add(row.getField("id").toString());
      }
    }
    return String.join(" ", ids);
  }

  private static List<GenericRecord> rows() {
    return List.of(
        row(
            1L,
            10,
            new BigDecimal("1.50"),
            "abc",
            "A    ",
            LocalDate.of(2026, 1, 31),
            OffsetDateTime.parse("2026-01-31T12:00:00.000001Z"),
            LocalDateTime.of(2026, 1, 31, 12, 0),
            true,
            0.0,
            ByteBuffer.wrap(new byte[] {1, -1}),
            3),
        row(
            2L,
            20,
            new BigDecimal("99999.99"),
            "",
            "B    ",
            LocalDate.of(2026, 2, 1),
            OffsetDateTime.parse("2025-01-01T00:00:00Z"),
            LocalDateTime.of(2025, 1, 31, 12, 0),
            false,
            -0.0,
            ByteBuffer.wrap(new byte[] {}),
            4),
        row(3L, null, null, null, null, null, null, null, null, null, null, null));
  }

  private static GenericRecord row(Object... values) {
    GenericRecord row = GenericRecord.create(SCHEMA);
    for (int i = 0; i < values.length; i++) {
      row.set(i, values[i]);
    }
    row.setField(Column.BUCKET, 0);
    return row;
  }
}
