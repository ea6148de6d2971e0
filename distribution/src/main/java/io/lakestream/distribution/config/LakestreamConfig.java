package io.lakestream.distribution.config;

import static io.lakestream.tables.error.Checks.checkArgument;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.lakestream.tables.schema.TableName;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * {@code lakestream.yaml}. Every key has a default. Relative paths start at the working directory.
 *
 * @param data folder that holds everything
 * @param minFreeSpace below this much free space in the data folder nothing starts, and what runs
 *     stops
 * @param sources by name, in the order of the file; possibly none
 */
public record LakestreamConfig(
    Path data,
    DataSize minFreeSpace,
    Map<String, SourceSettings> sources,
    LakeSettings lake,
    PortSettings ports,
    HttpSettings http,
    FlussSettings fluss) {
  public LakestreamConfig {
    sources = Collections.unmodifiableMap(new LinkedHashMap<>(sources));
    // The name becomes part of every table's name, which has rules of its own.
    sources.keySet().forEach(name -> new TableName(name, "schema", "table"));
    // Here and not in the source's own settings: a misspelled key there has to be named first.
    sources.forEach(
        (name, source) ->
            checkArgument(
                !source.database().isBlank(),
                "Missing sources.%s.database: name the database to capture",
                name));
  }

  /** All defaults, without a source. */
  public static LakestreamConfig defaults() {
    return parse(null, null, null, null, null, null, null);
  }

  /** The same with another data folder. */
  public LakestreamConfig withData(Path folder) {
    return new LakestreamConfig(folder, minFreeSpace, sources, lake, ports, http, fluss);
  }

  @JsonCreator
  static LakestreamConfig parse(
      @JsonProperty("data") String data,
      @JsonProperty("min-free-space") DataSize minFreeSpace,
      @JsonProperty("sources") Map<String, SourceSettings> sources,
      @JsonProperty("lake") LakeSettings lake,
      @JsonProperty("ports") PortSettings ports,
      @JsonProperty("http") HttpSettings http,
      @JsonProperty("fluss") FlussSettings fluss) {
    return new LakestreamConfig(
        Path.of(Objects.requireNonNullElse(data, "./data")),
        Objects.requireNonNullElse(minFreeSpace, DataSize.parse("500MB")),
        Objects.requireNonNullElse(sources, Map.of()),
        Objects.requireNonNullElse(lake, LakeSettings.defaults()),
        Objects.requireNonNullElse(ports, PortSettings.defaults()),
        Objects.requireNonNullElse(http, HttpSettings.defaults()),
        Objects.requireNonNullElse(fluss, FlussSettings.none()));
  }
}
