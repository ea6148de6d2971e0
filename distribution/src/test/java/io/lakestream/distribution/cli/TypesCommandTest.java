package io.lakestream.distribution.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cdc.source.SourceType;
import io.lakestream.distribution.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class TypesCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Test
  void everyTypeIsPrintedWithItsHomes() {
    assertThat(run("types", "--source", "postgres")).isZero();
    assertThat(out.toString())
        .contains("SOURCE TYPE", "TEXT FORM", "DECIMAL(p, s)", "timestamptz", "interval")
        .hasLineCount(SourceType.POSTGRES.types().size() + 1);
  }

  @Test
  void anUnknownKindOfSourceIsNamed() {
    assertThat(run("types", "--source", "postgre")).isEqualTo(ExitCode.USER);
    assertThat(err.toString()).contains("'postgre'").contains("Did you mean 'postgres'?");
  }

  @Test
  void theDocumentHoldsTheSameTables() throws IOException {
    String document = Files.readString(Path.of("..", "docs", "types.md"));
    for (SourceType source : SourceType.values()) {
      assertThat(document)
          .as("docs/types.md: print it with lakestream types --source %s --markdown", source.text())
          .contains(String.join("\n", TypesCommand.markdown(source.types())));
    }
  }
}
