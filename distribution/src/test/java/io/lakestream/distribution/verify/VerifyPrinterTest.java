package io.lakestream.distribution.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.distribution.cli.ExitCode;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.Quarantine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerifyPrinterTest {
  private static final TableDefinition TABLE =
      new TableDefinition(
          new TableName("shop", "public", "prices"),
          List.of(
              new Column("id", ColumnType.BIGINT, "bigint", true),
              new Column("lang", ColumnType.STRING, "text", true),
              new Column("n", ColumnType.decimal(10, 2), "numeric(10,2)", false)),
          List.of("id", "lang"),
          1);

  @Test
  void aRowThatIsMissingBecauseOfAValueIsNamedWithTheReasonAndStillCounts() {
    QuarantinedRows quarantined =
        new QuarantinedRows(
            List.of(
                entry("shop", "{\"id\":\"2\",\"lang\":\"a, \\\"b\\\"\"}", "NaN has no home"),
                entry("other", "{\"id\":\"3\",\"lang\":\"de\"}", "another source's")));
    VerifyReport report =
        new VerifyReport(
            SourcePosition.ofLsn(1),
            List.of(
                new VerifyReport.TableReport(
                    TABLE.name(),
                    4,
                    List.of(
                        Difference.missing(TABLE, List.of("2", "a, \"b\"")),
                        Difference.missing(TABLE, List.of("3", "de")),
                        Difference.value(TABLE, List.of("2", "a, \"b\""), "n", "1", "2")),
                    0)));
    StringWriter out = new StringWriter();

    int code = VerifyPrinter.print(new PrintWriter(out), List.of(report), quarantined);

    assertThat(code).isEqualTo(ExitCode.DIFFERENCES);
    assertThat(out.toString().lines())
        .containsExactly(
            "table=public.prices rows=4 differences=3",
            "quarantined table=public.prices key=(2, a, \"b\") column=n reason=NaN has no home",
            "difference table=public.prices key=(3, de) column=(row) source=a row view=no row",
            "difference table=public.prices key=(2, a, \"b\") column=n source='1' view='2'",
            "verified tables=1 rows=4 differences=3 position=0/1");
    assertThat(quarantined.count("shop", "public.prices")).isEqualTo(1);
    assertThat(quarantined.count("shop", "public.other")).isZero();
  }

  private static Quarantine.Entry entry(String source, String key, String reason) {
    return new Quarantine.Entry(source, "public.prices", "0/1", key, "n", reason, "secret value");
  }
}
