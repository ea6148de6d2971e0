package io.lakestream.distribution.laptop;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/** Ports of the loopback interface. */
final class Ports {
  static final String HOST = "127.0.0.1";

  private Ports() {}

  /** {@value #HOST}, without asking a name server. */
  static InetAddress loopback() {
    try {
      return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    } catch (UnknownHostException e) {
      throw new IllegalStateException("Four bytes are no address", e);
    }
  }

  /**
   * A port to listen on.
   *
   * @param what listens there, for the message
   * @param port 1 to 65535 to check that one, 0 to find a free one
   * @param key of the configuration that chooses another
   * @throws LakestreamException PORT_TAKEN where another program listens there
   */
  static int claim(String what, int port, String key) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(loopback(), port));
      return socket.getLocalPort();
    } catch (BindException e) {
      throw new LakestreamException(
          e,
          ErrorCode.PORT_TAKEN,
          "Cannot start %s: port %s is taken by another program. Stop that program, or choose another port with %s (0 takes any free one).",
          what,
          port,
          key);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot listen on " + HOST + ":" + port, e);
    }
  }
}
