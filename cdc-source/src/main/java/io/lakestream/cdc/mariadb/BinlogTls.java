package io.lakestream.cdc.mariadb;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.network.SSLMode;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.Tls;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** Encrypts the stream of the binlog. */
final class BinlogTls {
  private BinlogTls() {}

  /** Tells the client what the source's configuration asks for. */
  static void apply(SourceConfig config, BinaryLogClient client) {
    client.setSSLMode(
        switch (config.tls().mode()) {
          case DISABLE -> SSLMode.DISABLED;
          case PREFER -> SSLMode.PREFERRED;
          case REQUIRE -> SSLMode.REQUIRED;
          // The name is verified with the handshake: the client would ask DNS for the name of the
          // address that it reached.
          case VERIFY_CA, VERIFY_FULL -> SSLMode.VERIFY_CA;
        });
    if (config.tls().isVerified()) {
      client.setSslSocketFactory(socket -> verified(config, socket));
    }
  }

  private static SSLSocket verified(SourceConfig config, Socket socket) throws SocketException {
    try {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(authorities(config.tls().rootCert()));
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      SSLSocket encrypted =
          (SSLSocket)
              context.getSocketFactory().createSocket(socket, config.host(), config.port(), true);
      if (config.tls().mode() == Tls.Mode.VERIFY_FULL) {
        SSLParameters parameters = encrypted.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        encrypted.setSSLParameters(parameters);
      }
      return encrypted;
    } catch (IOException | GeneralSecurityException e) {
      SocketException failure = new SocketException("Cannot encrypt the stream: " + e.getMessage());
      failure.initCause(e);
      throw failure;
    }
  }

  /** Those of a PEM file; null for those that Java trusts. */
  private static KeyStore authorities(String file) throws IOException, GeneralSecurityException {
    if (file.isEmpty()) {
      return null;
    }
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      int number = 0;
      for (Certificate authority :
          CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("authority-" + number++, authority);
      }
    }
    return store;
  }
}
