package io.lakestream.cdc.source;

import static io.lakestream.tables.error.Checks.checkArgument;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.error.NearName;
import java.security.cert.CertificateException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;

/**
 * How connections to a source are encrypted: all of them, those of the stream among them.
 *
 * @param rootCert path of a PEM file with the authorities that may have signed the server's
 *     certificate; empty for those that Java trusts. Only where the certificate is verified
 */
public record Tls(Mode mode, String rootCert) {
  /** What is asked of the server; the words and their meaning are those of libpq's sslmode. */
  public enum Mode {
    /** Encrypts where the server can, and verifies nothing. */
    PREFER,
    DISABLE,
    /** Encrypts, and verifies nothing. */
    REQUIRE,
    /** Verifies who signed the server's certificate. */
    VERIFY_CA,
    /** Verifies also that it was issued to the host that was connected to. */
    VERIFY_FULL;

    /** Parses {@link #text}. Throws INVALID_ARGUMENT with the name that was probably meant. */
    public static Mode parse(String text) {
      List<String> names = Arrays.stream(values()).map(Mode::text).toList();
      checkArgument(
          names.contains(text),
          "Invalid ssl: '%s' (must be %s).%s",
          text,
          String.join(", ", names),
          NearName.of(text, names).map(near -> " Did you mean '" + near + "'?").orElse(""));
      return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** As the configuration spells it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Encrypts where the server can. */
  public static final Tls PREFERRED = new Tls(Mode.PREFER, "");

  // The drivers have no code for it.
  private static final Pattern ABOUT_TLS =
      Pattern.compile("(?i)\\b(ssl|tls|certificate)\\b|\\bverified\\b|insecure transport");

  public Tls {
    checkArgument(
        rootCert.isEmpty() || mode == Mode.VERIFY_CA || mode == Mode.VERIFY_FULL,
        "Invalid ssl-root-cert: with ssl: %s no certificate is verified. Set ssl: verify-full, or remove ssl-root-cert.",
        mode.text());
  }

  /** True where the server's certificate is verified. */
  public boolean isVerified() {
    return mode == Mode.VERIFY_CA || mode == Mode.VERIFY_FULL;
  }

  /** True where a driver's error while connecting is about encryption. */
  public static boolean isFailure(SQLException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SSLException || cause instanceof CertificateException) {
        return true;
      }
    }
    return ABOUT_TLS.matcher(String.valueOf(e.getMessage())).find();
  }

  /**
   * What to throw for such an error.
   *
   * @param reason in one line
   */
  public static LakestreamException failure(SourceConfig config, SQLException e, String reason) {
    return new LakestreamException(
        e,
        ErrorCode.SOURCE_REFUSED,
        "Cannot connect to source %s at %s with ssl: %s: %s. Check sources.%s.ssl and ssl-root-cert, and the server's certificate.",
        config.name(),
        config.address(),
        config.tls().mode().text(),
        reason,
        config.name());
  }
}
