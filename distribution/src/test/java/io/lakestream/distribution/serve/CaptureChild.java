package io.lakestream.distribution.serve;

import io.lakestream.distribution.ChildJvm;
import io.lakestream.distribution.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** {@code lakestream cdc run} in a process of its own. */
final class CaptureChild implements AutoCloseable {
  private static final String URL = "Health and metrics: ";

  private final Process process;
  private final Path output;

  private CaptureChild(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** Starts with {@code config}; its log goes below {@code folder}. */
  static CaptureChild start(Path config, Path folder) throws IOException {
    List<String> command =
        ChildJvm.command(
            "256m",
            Main.class,
            "cdc",
            "run",
            "--progress",
            "1",
            "--config",
            config.toString(),
            "--data",
            folder.toString());
    Path output = Files.createDirectories(folder).resolve("output.txt");
    return new CaptureChild(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start(),
        output);
  }

  Process process() {
    return process;
  }

  String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a signal by name, such as STOP. */
  void signal(String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor();
  }

  /** Code and body of a page; empty where nobody answers. */
  Optional<HttpResponse<String>> page(String path) {
    Optional<String> url =
        output()
            .lines()
            .filter(line -> line.startsWith(URL))
            .map(l -> l.substring(URL.length()))
            .findFirst();
    if (url.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(url.get() + path)).build(),
                  HttpResponse.BodyHandlers.ofString()));
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }

  /** True once {@code /readyz} says so. */
  boolean isReady() {
    return page("/readyz").filter(page -> page.statusCode() == 200).isPresent();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
