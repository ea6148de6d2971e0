package io.lakestream.distribution.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cdc.source.Secret;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceType;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.lake.LakeLayout;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real source against a view by hand, which shows whatever a test wants it to. */
class VerifierTest {
  private static final TableDefinition TABLE =
      new TableDefinition(
          new TableName("shop", "public", "Order Items"),
          List.of(
              new Column("id", ColumnType.BIGINT, "bigint", true),
              new Column("Line", ColumnType.STRING, "character(3)", true),
              new Column("note", ColumnType.STRING, "text", false),
              new Column("price", ColumnType.decimal(10, 2), "numeric(10,2)", false),
              new Column("ok", ColumnType.BOOLEAN, "boolean", false),
              new Column("f", ColumnType.FLOAT, "real", false),
              new Column("d", ColumnType.DOUBLE, "double precision", false),
              new Column("raw", ColumnType.BYTES, "bytea", false),
              new Column("day", ColumnType.DATE, "date", false),
              new Column("t", ColumnType.TIMESTAMP, "timestamp without time zone", false),
              new Column("tz", ColumnType.TIMESTAMP_LTZ, "timestamp with time zone", false)),
          List.of("id", "Line"),
          1);
  private static final Schema SCHEMA = LakeLayout.schema(TABLE);
  private static final SourcePosition POSITION = SourcePosition.ofLsn(100);

  private static EmbeddedPostgres postgres;

  @TempDir private Path folder;
  private final List<Record> view = new ArrayList<>();
  private Runnable beforePin = () -> {};

  @BeforeAll
  static void start() throws IOException, SQLException {
    postgres = EmbeddedPostgres.builder().start();
    execute("SET timezone = 'Asia/Tokyo'; ALTER DATABASE postgres SET datestyle = 'German'");
  }

  @AfterAll
  static void stop() throws IOException {
    postgres.close();
  }

  @BeforeEach
  void createTable() throws SQLException {
    execute(
        """
        DROP TABLE IF EXISTS public."Order Items";
        CREATE TABLE public."Order Items" (
          id bigint, "Line" char(3), note text, price numeric(10,2), ok boolean, f real,
          d double precision, raw bytea, day date, t timestamp, tz timestamptz,
          PRIMARY KEY (id, "Line"));
        INSERT INTO public."Order Items" VALUES
          (1, 'a', 'it''s', 12345678.90, true, 0.1, 1e-300, '\\x00ff', '2026-01-31',
           '2026-01-31 12:00:00.000001', '1969-12-31 23:59:59.999999+00'),
          (1, 'b', '', 0.00, false, 'NaN', '-Infinity', '', '0044-03-15 BC',
           '0001-01-01 00:00:00', '12000-01-01 00:00:00+00'),
          (2, 'a', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
        """);
    view.clear();
    view.add(
        row(
            1L,
            "a  ",
            "it's",
            new BigDecimal("12345678.90"),
            true,
            0.1f,
            1e-300,
            ByteBuffer.wrap(new byte[] {0, -1}),
            LocalDate.of(2026, 1, 31),
            LocalDateTime.of(2026, 1, 31, 12, 0, 0, 1000),
            OffsetDateTime.parse("1969-12-31T23:59:59.999999Z")));
    view.add(
        row(
            1L,
            "b  ",
            "",
            new BigDecimal("0.00"),
            false,
            Float.NaN,
            Double.NEGATIVE_INFINITY,
            ByteBuffer.wrap(new byte[0]),
            LocalDate.of(-43, 3, 15),
            LocalDateTime.of(1, 1, 1, 0, 0),
            OffsetDateTime.parse("+12000-01-01T00:00:00Z")));
    view.add(row(2L, "a  ", null, null, null, null, null, null, null, null, null));
  }

  @Test
  void equalRowsOfEveryTypeAreEqual() throws IOException {
    VerifyReport report = verifyQuiet();
    assertThat(report.differences()).isEmpty();
    assertThat(report.rows()).isEqualTo(3);
    assertThat(report.position()).isEqualTo(POSITION);
    try (var files = Files.list(folder)) {
      assertThat(files).as("temporary files").isEmpty();
    }
  }

  @Test
  void findsAChangedValue() {
    view.get(0).setField("price", new BigDecimal("12345678.91"));
    assertThat(verifyQuiet().differences())
        .singleElement()
        .hasToString(
            "difference table=public.Order Items key=(1, a  ) column=price source='12345678.90' view='12345678.91'");
  }

  @Test
  void findsOneMicrosecond() {
    view.get(0).setField("tz", OffsetDateTime.parse("1969-12-31T23:59:59.999998Z"));
    assertThat(verifyQuiet().differences())
        .singleElement()
        .extracting(Difference::column)
        .isEqualTo("tz");
  }

  @Test
  void findsNullInPlaceOfTheEmptyTextAndTheOtherWayRound() {
    view.get(1).setField("note", null);
    view.get(2).setField("note", "");
    assertThat(verifyQuiet().differences())
        .extracting(Difference::source, Difference::view)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("''", "NULL"),
            org.assertj.core.groups.Tuple.tuple("NULL", "''"));
  }

  @Test
  void findsAMissingRow() {
    view.remove(2);
    assertThat(verifyQuiet().differences())
        .singleElement()
        .hasToString(
            "difference table=public.Order Items key=(2, a  ) column=(row) source=a row view=no row");
  }

  @Test
  void findsAnExtraRowAndARowThatComesTwice() {
    view.add(row(3L, "a  ", "", null, null, null, null, null, null, null, null));
    view.add(view.get(0));
    assertThat(verifyQuiet().differences())
        .extracting(Difference::view)
        .containsExactlyInAnyOrder("a row", "the row more than once");
  }

  @Test
  void aLiveComparisonSettlesWhatTheSourceHadMovedOnFrom() {
    AtomicInteger pins = new AtomicInteger();
    beforePin =
        () -> {
          // A transaction between what the first round read and the cut it compares with.
          if (pins.getAndIncrement() == 0) {
            update("UPDATE public.\"Order Items\" SET note = 'new' WHERE id = 2");
            view.get(2).setField("note", "new");
          }
        };
    VerifyReport report = verifyLive();
    assertThat(report.differences()).isEmpty();
    assertThat(report.undecided()).isZero();
    assertThat(pins).hasValue(2);
  }

  @Test
  void aLiveComparisonFindsWhatStaysDifferent() {
    view.get(0).setField("ok", false);
    view.remove(2);
    VerifyReport report = verifyLive();
    assertThat(report.differences()).extracting(Difference::column).contains("ok", "(row)");
    assertThat(report.differenceCount()).isEqualTo(2);
    assertThat(report.undecided()).isZero();
  }

  @Test
  void aRowThatNeverStandsStillIsUndecided() {
    view.get(2).setField("note", "as it was a moment ago");
    AtomicInteger pins = new AtomicInteger();
    beforePin =
        () ->
            update(
                "UPDATE public.\"Order Items\" SET note = '"
                    + pins.getAndIncrement()
                    + "' WHERE id = 2");
    VerifyReport report = verifyLive();
    assertThat(report.differences()).isEmpty();
    assertThat(report.undecided()).isEqualTo(1);
    assertThat(pins).hasValue(Verifier.ROUNDS);
  }

  @Test
  void manyRowsAreComparedPartByPart() {
    update(
        "INSERT INTO public.\"Order Items\" (id, \"Line\") SELECT g, 'x' FROM generate_series(10, 250009) g");
    for (long id = 10; id < 250_010; id++) {
      view.add(
          row(
              id,
              "x  ",
              id == 77_777 ? "odd" : null,
              null,
              null,
              null,
              null,
              null,
              null,
              null,
              null));
    }
    VerifyReport report = verifyQuiet();
    assertThat(report.rows()).isEqualTo(250_003);
    assertThat(report.differences())
        .singleElement()
        .extracting(Difference::key)
        .isEqualTo(List.of("77777", "x  "));
  }

  private VerifyReport verifyQuiet() {
    try (SourceReader source = open()) {
      return verifier(source).verifyQuiet(List.of(TABLE));
    }
  }

  private VerifyReport verifyLive() {
    try (SourceReader source = open()) {
      return verifier(source).verifyLive(List.of(TABLE), Verifier.ROUNDS);
    }
  }

  private static SourceReader open() {
    return SourceReader.open(
        new SourceConfig(
            "shop",
            SourceType.POSTGRES,
            "localhost",
            postgres.getPort(),
            "postgres",
            "postgres",
            Secret.of(""),
            List.of("public.*"),
            List.of(),
            1,
            Duration.ofSeconds(1)));
  }

  private Verifier verifier(SourceReader source) {
    return new Verifier(source, () -> POSITION, new HandmadeView(), folder, Duration.ofSeconds(1));
  }

  private final class HandmadeView implements View, View.Pinned {
    @Override
    public Pinned pin(Collection<TableName> tables, SourcePosition position, Duration timeout) {
      beforePin.run();
      return this;
    }

    @Override
    public SourcePosition position() {
      return POSITION;
    }

    @Override
    public CloseableIterator<Record> rows(TableName table) {
      return CloseableIterator.withClose(view.iterator());
    }
  }

  private static Record row(Object... values) {
    GenericRecord row = GenericRecord.create(SCHEMA);
    for (int i = 0; i < values.length; i++) {
      row.set(i, values[i]);
    }
    return row;
  }

  private static void update(String sql) {
    try {
      execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
