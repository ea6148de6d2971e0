package io.lakestream.distribution.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lakestream.distribution.Main;
import io.lakestream.distribution.laptop.DataFolder;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.fluss.exception.NetworkException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandLineTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Test
  void anUnknownCommandSuggestsTheNearOne() {
    assertThat(run("statsu")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .startsWith("lakestream: ")
        .contains("statsu")
        .contains("Did you mean: lakestream status")
        .contains("lakestream --help");
  }

  @Test
  void anUnknownCommandThatIsNearToNoneSuggestsNone() {
    assertThat(run("nosuch")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("nosuch").doesNotContain("Did you mean");
    assertThat(err.toString().lines()).hasSize(2);
  }

  @Test
  void anUnknownOptionSuggestsTheNearOne() {
    assertThat(run("status", "--formt", "json")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString())
        .contains("'--formt'")
        .contains("Did you mean: --format?")
        .contains("status --help");
  }

  @Test
  void noCommandIsAUsageError() {
    assertThat(run()).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString()).contains("Missing a command").contains("status");
  }

  @Test
  void everyCommandHasHelpWithExitCodes() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("up", "tables", "status", "version", "Exit codes:");
    for (String command : Main.commandLine().getSubcommands().keySet()) {
      out.getBuffer().setLength(0);
      assertThat(run(command, "--help")).as(command).isZero();
      assertThat(out.toString()).as(command).contains("Examples:", "Exit codes:");
      if (!List.of("types", "version").contains(command)) {
        assertThat(out.toString()).as(command).contains("--data");
      }
    }
  }

  @Test
  void versionNamesEveryPart() {
    assertThat(run("version")).isZero();
    assertThat(out.toString()).contains("lakestream 0", "fluss 0.9", "iceberg 1.", "java ");
  }

  @Test
  void withoutAnInstanceACommandFailsWithOneLine() {
    assertThat(run("status", "--data", folder.toString())).isEqualTo(ExitCode.USER);
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(err.toString())
        .startsWith("lakestream: Cannot find a running instance in the data folder " + folder);
  }

  @Test
  void anInstanceOnTheMoveIsToldAsThat() throws Exception {
    Path data = folder.resolve("data");
    try (DataFolder holder = DataFolder.lock(data)) {
      assertThat(holder.path()).isEqualTo(data);
      assertThat(run("status", "--data", data.toString())).isEqualTo(ExitCode.USER);
      assertThat(err.toString())
          .isEqualTo(
              "lakestream: The instance on the data folder "
                  + data
                  + " is still starting. Wait a few seconds and try again.\n");

      err.getBuffer().setLength(0);
      Files.writeString(data.resolve("stopping"), "");
      assertThat(run("status", "--data", data.toString())).isEqualTo(ExitCode.USER);
      assertThat(err.toString()).contains("is stopping. Start it again when it has stopped.");
    }
  }

  @Test
  void aFailureOfFlussIsNoFaultOfOurs() {
    NetworkException cause = new NetworkException("Disconnected from node 0\n\tat a.B.c(B.java:1)");
    for (Exception e : List.of(cause, new IllegalStateException("x", cause))) {
      assertThat(Failures.code(e)).isEqualTo(ExitCode.EXTERNAL);
      assertThat(Failures.line(e))
          .startsWith("lakestream: Cannot work with Fluss: Disconnected from node 0. Try again")
          .doesNotContain("a fault in Lakestream");
    }
  }

  @Test
  void theKindOfAnErrorChoosesTheExitCode() {
    assertThat(Failures.code(new LakestreamException(ErrorCode.PORT_TAKEN, "x"))).isEqualTo(3);
    assertThat(Failures.code(new LakestreamException(ErrorCode.TIMEOUT, "x"))).isEqualTo(4);
    assertThat(Failures.code(new LakestreamException(ErrorCode.INTERNAL, "x"))).isEqualTo(5);
    assertThat(Failures.code(new IllegalStateException("x"))).isEqualTo(5);
    assertThat(Failures.line(new IllegalStateException("a\n  b")))
        .startsWith("lakestream: a (a fault in Lakestream, IllegalStateException");
  }

  @Test
  void theStatusJsonHasTheNamesThatScriptsRelyOn() throws Exception {
    StatusReport report =
        new StatusReport(
            List.of(new StatusReport.Source("shop", "STREAMING", "", "0/1", 5L)),
            List.of(
                new StatusReport.Table("shop", "public.a", "LIVE", "", 3L, 1L, 20L, 7L, 30L, 2L, 1),
                new StatusReport.Table(
                    "shop",
                    "public.b",
                    "REFUSED",
                    "no key",
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    0)));

    JsonNode json = new ObjectMapper().readTree(StatusCommand.json(report));

    assertThat(json.get("sources").get(0).fieldNames())
        .toIterable()
        .contains("name", "state", "position", "lagMs");
    for (JsonNode table : json.get("tables")) {
      assertThat(table.fieldNames())
          .toIterable()
          .contains(
              "name",
              "state",
              "reason",
              "tailRows",
              "freshnessMs",
              "lakeSnapshotId",
              "lakeAgeMs",
              "rows",
              "quarantined");
    }
    assertThat(json.at("/tables/1/rows").isNull()).isTrue();
    assertThat(json.at("/tables/0/lakeSnapshotId").isNumber()).isTrue();
  }

  @Test
  void aConfigurationWithoutASourceIsRefused() throws Exception {
    Path config = Files.writeString(folder.resolve("l.yaml"), "data: x\n");

    assertThat(run("up", "--config", config.toString())).isEqualTo(ExitCode.USER);
    assertThat(err.toString()).contains("names no source").contains("lakestream.example.yaml");
  }

  @Test
  void textTablesAlignTheirColumns() {
    TextTable table = new TextTable("A", "LONG");
    table.add("wide cell", null);

    assertThat(table.lines()).containsExactly("A          LONG", "wide cell  -");
  }
}
