package io.lakestream.cdc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cdc.decode.StreamField;
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
        .isEqualTo(PgText.micros(Instant.parse("-0043-03-15T12:00:00.000001Z")));
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
