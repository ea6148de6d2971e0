package io.lakestream.distribution.laptop;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.lakestream.distribution.config.ConfigJson;
import io.lakestream.distribution.config.SourceSettings;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.lake.LakeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where the parts of a running instance are: {@value #FILE} in its data folder. Holds no secret.
 *
 * @param version of Lakestream that runs
 * @param pid of the process
 * @param startedAt ISO-8601 instant
 * @param flussBootstrap {@code host:port} for Fluss clients
 * @param zookeeper {@code host:port}
 * @param catalogUri JDBC URI of the Iceberg catalog
 * @param warehouse URI of the lake's root folder
 * @param postgresUrl JDBC URL of the demo's PostgreSQL, without password; empty without one
 * @param sources what is captured, by name; passwords only as the place where they are
 */
public record Endpoints(
    String version,
    long pid,
    String startedAt,
    String flussBootstrap,
    String zookeeper,
    String catalogUri,
    String warehouse,
    String postgresUrl,
    Map<String, SourceSettings> sources) {
  static final String FILE = "lakestream.json";

  private static final String STOPPING = "stopping";

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .registerModule(ConfigJson.module())
          .enable(SerializationFeature.INDENT_OUTPUT);

  public Endpoints {
    sources = Collections.unmodifiableMap(new LinkedHashMap<>(sources));
  }

  /** How to open the lake. */
  @JsonIgnore
  public LakeConfig lake() {
    return new LakeConfig(catalogUri, warehouse, Map.of());
  }

  /** The same with one more source, or another under the same name. */
  public Endpoints withSource(String name, SourceSettings source) {
    Map<String, SourceSettings> all = new LinkedHashMap<>(sources);
    all.put(name, source);
    return new Endpoints(
        version,
        pid,
        startedAt,
        flussBootstrap,
        zookeeper,
        catalogUri,
        warehouse,
        postgresUrl,
        all);
  }

  /** Reads the endpoints in a data folder; empty where there are none. */
  static Optional<Endpoints> find(Path folder) {
    Path file = folder.resolve(FILE);
    try {
      return Optional.of(MAPPER.readValue(Files.readString(file), Endpoints.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JsonProcessingException e) {
      throw new LakestreamException(
          e,
          ErrorCode.NOT_RUNNING,
          "Cannot read %s: another version of Lakestream may have written it. Use that version's command.",
          file);
    } catch (IOException e) {
      throw new LakestreamException(e, ErrorCode.NOT_RUNNING, "Cannot read %s: %s", file, e);
    }
  }

  /** Writes the file; a reader sees the old one or the new one, never a part. */
  void write(Path folder) {
    Path file = folder.resolve(FILE);
    try {
      Path draft = folder.resolve(FILE + ".new");
      Files.writeString(draft, MAPPER.writeValueAsString(this) + "\n");
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new LakestreamException(e, ErrorCode.INTERNAL, "Cannot write %s: %s", file, e);
    }
  }

  /** Takes the endpoints away because what they lead to is being stopped. */
  static void stopping(Path folder) {
    try {
      Files.writeString(folder.resolve(STOPPING), "");
    } catch (IOException e) {
      throw new LakestreamException(
          e, ErrorCode.INTERNAL, "Cannot write %s: %s", folder.resolve(STOPPING), e);
    }
    deleteFile(folder, FILE);
  }

  /** True from {@link #stopping} until {@link #remove}. */
  static boolean areStopping(Path folder) {
    return Files.exists(folder.resolve(STOPPING));
  }

  /** Removes what an earlier run left. */
  static void remove(Path folder) {
    deleteFile(folder, FILE);
    deleteFile(folder, STOPPING);
  }

  private static void deleteFile(Path folder, String name) {
    try {
      Files.deleteIfExists(folder.resolve(name));
    } catch (IOException e) {
      throw new LakestreamException(
          e, ErrorCode.INTERNAL, "Cannot remove %s: %s", folder.resolve(name), e);
    }
  }
}
