package io.lakestream.distribution.laptop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.distribution.config.ConfigReader;
import io.lakestream.distribution.config.SourceSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourcePasswordsTest {
  @TempDir private Path folder;

  @Test
  void thePasswordComesFromTheEnvironment() {
    SourceSettings settings = settings("password-env: PW");

    assertThat(SourcePasswords.find("shop", settings, Map.of("PW", "s3cret")).reveal())
        .isEqualTo("s3cret");
    assertThatThrownBy(() -> SourcePasswords.find("shop", settings, Map.of()))
        .hasMessageContaining("variable PW (password-env) is not set")
        .hasMessageContaining("password-file");
  }

  @Test
  void thePasswordComesFromTheFirstLineOfAFile() throws Exception {
    Path file = Files.writeString(folder.resolve("pw"), "s3 cret\nsecond line\n");
    Path empty = Files.writeString(folder.resolve("empty"), "");

    assertThat(find("password-file: " + file)).isEqualTo("s3 cret");
    assertThatThrownBy(() -> find("password-file: " + empty)).hasMessageContaining("is empty");
    assertThatThrownBy(() -> find("password-file: " + folder.resolve("none")))
        .hasMessageContaining("does not exist");
  }

  @Test
  void withoutAPlaceThereIsNone() {
    assertThat(find("port: 5432")).isEmpty();
  }

  private static String find(String line) {
    return SourcePasswords.find("shop", settings(line), Map.of()).reveal();
  }

  private static SourceSettings settings(String line) {
    return ConfigReader.parse("sources:\n  shop:\n    database: shop\n    " + line, "test")
        .sources()
        .get("shop");
  }
}
