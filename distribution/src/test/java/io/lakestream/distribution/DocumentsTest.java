package io.lakestream.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Documents lead somewhere: their links to files of this repository, and to methods inside. */
class DocumentsTest {
  private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("\\[([^\\]]+)\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
  private static final Pattern METHOD = Pattern.compile("`(\\w+)\\.(\\w+)`");

  @Test
  void everyLinkToAFileLeadsToOne() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path document : documents()) {
      Matcher link = LINK.matcher(Files.readString(document));
      while (link.find()) {
        if (!link.group(2).contains("://")) {
          links++;
          if (!Files.exists(document.resolveSibling(link.group(2)))) {
            broken.add(HOME.relativize(document) + " -> " + link.group(2));
          }
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(links).isGreaterThan(20);
  }

  @Test
  void everyStepOfARowsJourneyNamesAMethodThatExists() throws IOException {
    List<String> missing = new ArrayList<>();
    int steps = 0;
    Path document = HOME.resolve("ARCHITECTURE.md");
    Matcher link = LINK.matcher(Files.readString(document));
    while (link.find()) {
      Matcher method = METHOD.matcher(link.group(1));
      if (method.matches()) {
        steps++;
        Path file = document.resolveSibling(link.group(2));
        boolean sameClass = file.getFileName().toString().equals(method.group(1) + ".java");
        Pattern declaration =
            Pattern.compile("(?m)^  [\\w<>\\[\\], ?.]+ " + method.group(2) + "\\(");
        if (!sameClass || !declaration.matcher(Files.readString(file)).find()) {
          missing.add(link.group(1) + " in " + link.group(2));
        }
      }
    }
    assertThat(missing).isEmpty();
    assertThat(steps).isGreaterThan(10);
  }

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    try (Stream<Path> top = Files.list(HOME)) {
      top.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
    }
    try (Stream<Path> more = Files.list(HOME.resolve("docs"))) {
      more.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
    }
    try (Stream<Path> modules = Files.list(HOME)) {
      modules
          .map(module -> module.resolve("README.md"))
          .filter(Files::exists)
          .forEach(documents::add);
    }
    assertThat(documents).hasSizeGreaterThan(5);
    return documents;
  }
}
