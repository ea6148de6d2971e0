package io.lakestream.distribution.cli;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The versions this build was made of. */
public final class Version implements IVersionProvider {
  private static final String RESOURCE = "/io/lakestream/distribution/version.properties";

  /** Lakestream's own version. */
  public static String lakestream() {
    return load().getProperty("lakestream");
  }

  @Override
  public String[] getVersion() {
    Properties versions = load();
    return new String[] {
      "lakestream " + versions.getProperty("lakestream"),
      "fluss " + versions.getProperty("fluss"),
      "flink " + versions.getProperty("flink"),
      "iceberg " + versions.getProperty("iceberg"),
      "debezium " + versions.getProperty("debezium"),
      "java " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")"
    };
  }

  private static Properties load() {
    try (InputStream in = Version.class.getResourceAsStream(RESOURCE)) {
      Properties versions = new Properties();
      versions.load(in);
      return versions;
    } catch (IOException e) {
      throw new LakestreamException(e, ErrorCode.INTERNAL, "Cannot read %s", RESOURCE);
    }
  }
}
