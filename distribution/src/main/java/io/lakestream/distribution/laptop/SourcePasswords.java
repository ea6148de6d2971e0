package io.lakestream.distribution.laptop;

import io.lakestream.cdc.source.Secret;
import io.lakestream.distribution.config.SourceSettings;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Finds the password of a source where its settings say that it is. */
final class SourcePasswords {
  private SourcePasswords() {}

  /**
   * Reads the password.
   *
   * @param environment of this process
   * @return empty where the settings name no place: some servers ask for none
   * @throws LakestreamException INVALID_CONFIG where the place holds none
   */
  static Secret find(String name, SourceSettings settings, Map<String, String> environment) {
    if (!settings.passwordEnv().isEmpty()) {
      String value = environment.get(settings.passwordEnv());
      if (value == null || value.isEmpty()) {
        throw new LakestreamException(
            ErrorCode.INVALID_CONFIG,
            "Cannot find the password of source %s: the environment variable %s (password-env) is not set. Set it, or keep the password in a file and name that with password-file.",
            name,
            settings.passwordEnv());
      }
      return Secret.of(value);
    }
    return settings.passwordFile().isEmpty()
        ? Secret.of("")
        : fromFile(name, Path.of(settings.passwordFile()));
  }

  private static Secret fromFile(String name, Path file) {
    String first;
    try (var lines = Files.lines(file, StandardCharsets.UTF_8)) {
      first = lines.findFirst().orElse("");
    } catch (IOException e) {
      throw new LakestreamException(
          e,
          ErrorCode.INVALID_CONFIG,
          "Cannot read the password of source %s: %s (password-file) %s. Its first line must be the password.",
          name,
          file,
          Files.exists(file) ? "cannot be read" : "does not exist");
    }
    if (first.isEmpty()) {
      throw new LakestreamException(
          ErrorCode.INVALID_CONFIG,
          "Cannot read the password of source %s: the first line of %s (password-file) is empty.",
          name,
          file);
    }
    return Secret.of(first);
  }
}
