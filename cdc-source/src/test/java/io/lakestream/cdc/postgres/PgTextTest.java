package io.lakestream.cdc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cdc.decode.StreamField;
import io.lakestream.tables.schema.ColumnType;
import java.time.Instant;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class PgTextTest {
  @Test
  void datesFollowTheProlepticCalendar() {
    assertThat(PgText.parseDate("1970-01-01")).isZero();
    assertThat(PgText.parseDate("1582-10-10")).isEqualTo(LocalDate.of(1582, 10, 10).toEpochDay());
    assertThat(PgText.parseDate("0044-03-15 BC")).isEqualTo(LocalDate.of(-43, 3, 15).toEpochDay());
    assertThat(PgText.parseDate("12000-02-29")).isEqualTo(LocalDate.of(12000, 2, 29).toEpochDay());
    assertThat(PgText.parseDate("infinity")).isEqualTo(StreamField.INFINITY);
    assertThat(PgText.parseDate("-infinity")).isEqualTo(StreamField.NEGATIVE_INFINITY);
  }

  @Test
  void timestampsKeepEveryMicrosecond() {
    assertThat(PgText.parseTimestamp("1970-01-01 00:00:00")).isZero();
    assertThat(PgText.parseTimestamp("1970-01-01 00:00:01.5")).isEqualTo(1_500_000);
    assertThat(PgText.parseTimestamp("1969-12-31 23:59:59.999999")).isEqualTo(-1);
    assertThat(PgText.parseTimestamp("0044-03-15 12:00:00.000001 BC"))
        .isEqualTo(Instant.parse("-0043-03-15T12:00:00Z").getEpochSecond() * 1_000_000 + 1);
    assertThat(PgText.parseTimestamp("4714-11-24 00:00:00 BC")).isEqualTo(-210866803200000000L);
  }

  @Test
  void aZoneIsTakenIntoAccountHoweverItIsPrinted() {
    assertThat(PgText.parseTimestamp("1970-01-01 00:00:00.5+00")).isEqualTo(500_000);
    assertThat(PgText.parseTimestamp("1970-01-01 05:30:00+05:30")).isZero();
    assertThat(PgText.parseTimestamp("1969-12-31 19:00:00.000001-05")).isEqualTo(1);
    assertThat(PgText.parseTimestamp("0001-01-01 05:53:28+05:53:28 BC"))
        .isEqualTo(PgText.parseTimestamp("0001-01-01 00:00:00 BC"));
  }

  @Test
  void everyFormIsReadFromItsText() {
    assertThat(PgText.parse(ColumnType.BOOLEAN, "t")).isEqualTo(true);
    assertThat(PgText.parse(ColumnType.SMALLINT, "-32768")).isEqualTo(-32768);
    assertThat(PgText.parse(ColumnType.BIGINT, "9223372036854775807")).isEqualTo(Long.MAX_VALUE);
    assertThat(PgText.parse(ColumnType.FLOAT, "-Infinity")).isEqualTo(Float.NEGATIVE_INFINITY);
    assertThat(PgText.parse(ColumnType.DOUBLE, "-0")).isEqualTo(-0.0);
    assertThat(PgText.parse(ColumnType.BYTES, "\\x00ff")).isEqualTo(new byte[] {0, -1});
    assertThat(PgText.parse(ColumnType.BYTES, "\\x")).isEqualTo(new byte[0]);
    assertThat(PgText.parse(ColumnType.decimal(3, 1), "NaN")).isEqualTo("NaN");
  }

  @Test
  void whatMicrosecondsCannotHoldIsToldApart() {
    assertThat(PgText.parseTimestamp("294247-01-09 04:00:54.775807")).isPositive();
    assertThat(PgText.parseTimestamp("294247-01-10 04:00:54.775806"))
        .isEqualTo(StreamField.OUT_OF_RANGE);
    assertThat(PgText.parseTimestamp("294276-12-31 23:59:59.999999"))
        .isEqualTo(StreamField.OUT_OF_RANGE);
    assertThat(PgText.parseTimestamp("infinity")).isEqualTo(StreamField.INFINITY);
  }
}
