package io.lakestream.cdc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** A certificate for the host name {@code localhost}, signed by an authority made for it. */
final class TestCertificates {
  private static final String PASSWORD = "secret";

  private final Path folder;

  private TestCertificates(Path folder) {
    this.folder = folder;
  }

  static TestCertificates create() {
    try {
      TestCertificates made = new TestCertificates(Files.createTempDirectory("lakestream-tls"));
      made.make("ca");
      made.make("other");
      made.make("server");
      made.keytool("-certreq", "server", "-file", made.path("csr").toString());
      made.keytool(
          "-gencert",
          "ca",
          "-rfc",
          "-ext",
          "san=dns:localhost",
          "-infile",
          made.path("csr").toString(),
          "-outfile",
          made.path("server.pem").toString());
      made.writeKey();
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  String authority() {
    return path("ca.pem").toString();
  }

  String otherAuthority() {
    return path("other.pem").toString();
  }

  String certificate() {
    return path("server.pem").toString();
  }

  String key() {
    return path("server.key").toString();
  }

  private Path path(String name) {
    return folder.resolve(name);
  }

  private void make(String name) throws IOException {
    keytool("-genkeypair", name, "-keyalg", "EC", "-dname", "CN=" + name, "-ext", "bc:c");
    keytool("-exportcert", name, "-rfc", "-file", path(name + ".pem").toString());
  }

  private void keytool(String action, String alias, String... more) throws IOException {
    Path program = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> command =
        new ArrayList<>(
            List.of(
                program.toString(),
                action,
                "-alias",
                alias,
                "-keystore",
                path("store").toString(),
                "-storepass",
                PASSWORD));
    command.addAll(List.of(more));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream said = process.getInputStream()) {
      String text = new String(said.readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(text);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void writeKey() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(path("store").toFile(), PASSWORD.toCharArray());
    byte[] key = store.getKey("server", PASSWORD.toCharArray()).getEncoded();
    Files.writeString(
        Files.createFile(
            path("server.key"),
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key)
            + "\n-----END PRIVATE KEY-----\n");
  }
}
