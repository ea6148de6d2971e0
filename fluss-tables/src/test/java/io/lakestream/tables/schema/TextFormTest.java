package io.lakestream.tables.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The oracle is PostgreSQL itself. */
@SuppressWarnings("FloatingPointLiteralPrecision") // on purpose: digits beyond what the type holds
class TextFormTest {
  private static EmbeddedPostgres postgres;
  private static Connection connection;

  @BeforeAll
  static void start() throws Exception {
    postgres = EmbeddedPostgres.builder().start();
    connection = postgres.getPostgresDatabase().getConnection();
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "set timezone='UTC'; set datestyle='ISO'; set bytea_output='hex'; set extra_float_digits=1");
    }
  }

  @AfterAll
  static void stop() throws Exception {
    connection.close();
    postgres.close();
  }

  private static List<String> postgresText(String sqlType, List<String> literals)
      throws SQLException {
    List<String> texts = new ArrayList<>();
    try (PreparedStatement statement =
        connection.prepareStatement("select ((?::text)::" + sqlType + ")::text")) {
      for (String literal : literals) {
        statement.setString(1, literal);
        try (ResultSet row = statement.executeQuery()) {
          row.next();
          texts.add(row.getString(1));
        }
      }
    }
    return texts;
  }

  @Test
  void printsDoublesAsPostgresDoes() throws Exception {
    List<Double> values =
        new ArrayList<>(
            List.of(
                0.0,
                -0.0,
                1.0,
                -1.5,
                0.1,
                1e14,
                123456789012345.0,
                1e15,
                1.5e15,
                1e16,
                1e-4,
                1e-5,
                1.25e-5,
                1e100,
                1e-100,
                2e23,
                5e-324,
                2.0e-3,
                9007199254740993.0,
                1.7976931348623157e308,
                Double.NaN,
                Double.POSITIVE_INFINITY,
                Double.NEGATIVE_INFINITY,
                1.0E23,
                2.2250738585072014E-308));
    Random random = new Random(3);
    for (int i = 0; i < 3_000; i++) {
      double bits = Double.longBitsToDouble(random.nextLong());
      values.add(i % 2 == 0 ? bits : random.nextInt(2_000_000) / 1000.0);
    }
    List<String> literals = values.stream().map(v -> Double.toString(v)).toList();
    List<String> expected = postgresText("float8", literals);
    for (int i = 0; i < values.size(); i++) {
      assertThat(TextForm.print(ColumnType.DOUBLE, values.get(i))).isEqualTo(expected.get(i));
    }
  }

  @Test
  void printsFloatsAsPostgresDoes() throws Exception {
    List<Float> values =
        new ArrayList<>(
            List.of(
                0f,
                -0f,
                1f,
                0.1f,
                99999f,
                999999f,
                1e6f,
                1234567f,
                123456789f,
                1e-4f,
                1e-5f,
                3.4028235e38f,
                1.4e-45f,
                Float.NaN,
                Float.NEGATIVE_INFINITY,
                1.17549435E-38f,
                8.0e9f));
    Random random = new Random(4);
    for (int i = 0; i < 3_000; i++) {
      values.add(
          i % 2 == 0 ? Float.intBitsToFloat(random.nextInt()) : random.nextInt(2_000_000) / 100f);
    }
    List<String> expected =
        postgresText("float4", values.stream().map(v -> Float.toString(v)).toList());
    for (int i = 0; i < values.size(); i++) {
      assertThat(TextForm.print(ColumnType.FLOAT, values.get(i))).isEqualTo(expected.get(i));
    }
  }

  @Test
  void printsDatesAndTimestampsAsPostgresDoes() throws Exception {
    List<LocalDate> dates =
        List.of(
            LocalDate.of(2024, 2, 29),
            LocalDate.of(1, 1, 1),
            LocalDate.of(0, 1, 1),
            LocalDate.of(-43, 3, 15),
            LocalDate.of(12000, 1, 1),
            LocalDate.of(1500, 3, 1));
    assertThat(dates.stream().map(d -> TextForm.print(ColumnType.DATE, d)).toList())
        .isEqualTo(
            postgresText(
                "date",
                List.of(
                    "2024-02-29",
                    "0001-01-01",
                    "0001-01-01 BC",
                    "0044-03-15 BC",
                    "12000-01-01",
                    "1500-03-01")));
    List<String> literals =
        List.of(
            "2024-05-06 07:08:09",
            "2024-05-06 07:08:09.120000",
            "2024-05-06 07:08:09.000001",
            "0044-03-15 01:02:03.5 BC",
            "1969-12-31 23:59:59.999999");
    List<LocalDateTime> times =
        List.of(
            LocalDateTime.parse("2024-05-06T07:08:09"),
            LocalDateTime.parse("2024-05-06T07:08:09.12"),
            LocalDateTime.parse("2024-05-06T07:08:09.000001"),
            LocalDateTime.of(-43, 3, 15, 1, 2, 3, 500_000_000),
            LocalDateTime.parse("1969-12-31T23:59:59.999999"));
    assertThat(times.stream().map(t -> TextForm.print(ColumnType.TIMESTAMP, t)).toList())
        .isEqualTo(postgresText("timestamp", literals));
    assertThat(
            times.stream()
                .map(
                    t ->
                        TextForm.print(
                            ColumnType.TIMESTAMP_LTZ, t.atOffset(java.time.ZoneOffset.UTC)))
                .toList())
        .isEqualTo(postgresText("timestamptz", literals));
    assertThat(
            TextForm.print(
                ColumnType.TIMESTAMP_LTZ, OffsetDateTime.parse("2024-05-06T07:08:09+02:00")))
        .isEqualTo("2024-05-06 05:08:09+00");
  }

  @Test
  void printsTheOtherTypesAsPostgresDoes() throws Exception {
    assertThat(TextForm.print(ColumnType.BYTES, ByteBuffer.wrap(new byte[] {0, -1, 10})))
        .isEqualTo(postgresText("bytea", List.of("\\x00ff0a")).get(0));
    assertThat(TextForm.print(ColumnType.decimal(38, 10), new BigDecimal("-0.0000000001")))
        .isEqualTo(postgresText("numeric(38,10)", List.of("-0.0000000001")).get(0));
    assertThat(TextForm.print(ColumnType.decimal(10, 2), new BigDecimal("0.00")))
        .isEqualTo(postgresText("numeric(10,2)", List.of("0")).get(0));
    assertThat(TextForm.print(ColumnType.BOOLEAN, true))
        .isEqualTo(postgresText("boolean", List.of("true")).get(0));
    assertThat(TextForm.print(ColumnType.SMALLINT, -5)).isEqualTo("-5");
    assertThat(TextForm.print(ColumnType.STRING, "")).isEmpty();
  }
}
