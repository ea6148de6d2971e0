package io.lakestream.distribution.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher script on a copy of the repository's outline, with commands that only say who they
 * are.
 */
class LauncherTest {
  private static final Path SCRIPT = Path.of("..", "lakestream").toAbsolutePath().normalize();

  @TempDir private Path folder;

  private Path clone;
  private Path bin;

  private record Result(int code, String out, String err) {}

  @BeforeEach
  void makeClone() throws IOException {
    clone = Files.createDirectories(folder.resolve("a clone"));
    bin = Files.createDirectories(folder.resolve("bin"));
    Files.copy(SCRIPT, clone.resolve("lakestream"), StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(clone.resolve("pom.xml"), "<project/>");
    Files.createDirectories(clone.resolve("distribution/src/main"));
    for (String tool :
        List.of(
            "sh",
            "sed",
            "head",
            "tail",
            "dirname",
            "readlink",
            "find",
            "mkdir",
            "mv",
            "rm",
            "cat",
            "date",
            "sleep",
            "touch")) {
      Path real =
          List.of(Path.of("/bin"), Path.of("/usr/bin")).stream()
              .map(place -> place.resolve(tool))
              .filter(Files::exists)
              .findFirst()
              .orElseThrow();
      Files.createSymbolicLink(bin.resolve(tool), real);
    }
  }

  @Test
  void withoutJavaItSaysWhatToInstall() throws Exception {
    Result result = run(Map.of(), "version");

    assertThat(result.code()).isEqualTo(ExitCode.USER);
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.err())
        .contains("lakestream: Cannot start: JDK 17 or newer is needed, found no java.")
        .contains("set JAVA_HOME");
  }

  @Test
  void anOldJavaIsNamedWithItsVersion() throws Exception {
    script("java", oldJava());

    Result result = run(Map.of("JAVA_HOME", folder.resolve("nowhere").toString()), "version");

    assertThat(result.code()).isEqualTo(ExitCode.USER);
    assertThat(result.err().lines()).hasSize(1);
    assertThat(result.err())
        .contains("no java in " + folder.resolve("nowhere/bin/java"))
        .contains(bin.resolve("java") + " is Java 8");
  }

  @Test
  void aJavaThatDoesNotRunIsNamed() throws Exception {
    script("java", "echo 'Unable to locate a Java Runtime.' >&2; exit 1");

    assertThat(run(Map.of(), "version").err()).contains(bin.resolve("java") + " does not run");
  }

  @Test
  void aGoodJavaOnThePathIsTakenWhenJavaHomeIsOld() throws Exception {
    Path old = Files.createDirectories(folder.resolve("old/bin"));
    write(old.resolve("java"), oldJava());
    script("java", newJava());
    built();

    Result result = run(Map.of("JAVA_HOME", old.getParent().toString()), "status", "--data", "a b");

    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.out())
        .contains("java runs")
        .contains("--add-opens=java.base/java.nio=ALL-UNNAMED")
        .contains("-Dfile.encoding=UTF-8")
        .contains("io.lakestream.distribution.Main status --data a b");
  }

  @Test
  void onlyNewJavasAreAskedToBeQuiet() throws Exception {
    built();
    script("java", newJava());
    assertThat(run(Map.of(), "version").out()).doesNotContain("enable-native-access");

    script("java", newJava().replace("21.0.2", "25.0.3"));
    assertThat(run(Map.of(), "version").out())
        .contains("--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow");
  }

  @Test
  void withoutMavenItSaysSo() throws Exception {
    script("java", newJava());

    Result result = run(Map.of(), "version");

    assertThat(result.code()).isEqualTo(ExitCode.USER);
    assertThat(result.err()).contains("lakestream: Cannot build: Maven is missing");
    assertThat(clone.resolve("distribution/target/building")).doesNotExist();
  }

  @Test
  void theFirstUseBuildsAndTheSecondDoesNot() throws Exception {
    script("java", newJava());
    script("mvn", "echo built >>calls; : >distribution/target/lakestream-distribution-1.jar");

    Result first = run(Map.of(), "version");
    assertThat(first.code()).isZero();
    assertThat(first.err()).contains("Building Lakestream, once, for 1 to 3 minutes");
    assertThat(run(Map.of(), "version").code()).isZero();
    assertThat(clone.resolve("calls")).hasContent("built");

    Files.setLastModifiedTime(
        Files.writeString(clone.resolve("distribution/src/main/New.java"), "class New {}"),
        FileTime.fromMillis(System.currentTimeMillis() + 60_000));
    assertThat(run(Map.of(), "version").code()).isZero();
    assertThat(Files.readAllLines(clone.resolve("calls"))).hasSize(2);
  }

  @Test
  void aFailedBuildShowsTheEndOfItsLog() throws Exception {
    script("java", newJava());
    script("mvn", "echo 'BUILD FAILURE: no network'; exit 1");

    Result result = run(Map.of(), "version");

    assertThat(result.code()).isEqualTo(ExitCode.USER);
    assertThat(result.err())
        .contains("BUILD FAILURE: no network")
        .contains("lakestream: Cannot build: Maven failed")
        .contains("distribution/target/build.log");
    assertThat(clone.resolve("distribution/target/lakestream/built")).doesNotExist();
    assertThat(clone.resolve("distribution/target/building")).doesNotExist();
  }

  @Test
  void aLinkToTheScriptFindsTheClone() throws Exception {
    script("java", newJava());
    built();
    Path link = Files.createSymbolicLink(folder.resolve("link"), clone.resolve("lakestream"));

    Result result = run(link, Map.of(), "version");

    assertThat(result.out()).contains(clone + "/distribution/target/lakestream/lib/*");
  }

  private void built() throws IOException {
    Path lib = Files.createDirectories(clone.resolve("distribution/target/lakestream/lib"));
    Files.writeString(clone.resolve("distribution/target/lakestream-distribution-1.jar"), "");
    Files.writeString(lib.resolveSibling("built"), "");
  }

  private static String oldJava() {
    return "echo 'openjdk version \"1.8.0_402\"' >&2";
  }

  private String newJava() throws IOException {
    Path jdk = Files.createDirectories(folder.resolve("jdk/bin"));
    write(jdk.resolve("javac"), "exit 0");
    return """
        case "$*" in
          *-XshowSettings*) echo "    java.home = %s" >&2 ;;
          *-version) echo 'openjdk version "21.0.2" 2024-01-16' >&2 ;;
          *) echo "java runs $*" ;;
        esac
        """
        .formatted(jdk.getParent());
  }

  private void script(String name, String body) throws IOException {
    write(bin.resolve(name), body);
  }

  private static void write(Path file, String body) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Result run(Map<String, String> environment, String... arguments) throws Exception {
    return run(clone.resolve("lakestream"), environment, arguments);
  }

  private Result run(Path script, Map<String, String> environment, String... arguments)
      throws Exception {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", script.toString());
    builder.command().addAll(List.of(arguments));
    builder.environment().clear();
    builder.environment().put("PATH", bin.toString());
    builder.environment().putAll(environment);
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    try {
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Result(
        process.exitValue(),
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }
}
