package io.lakestream.distribution.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.error.NearName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads {@code lakestream.yaml} and says precisely what is wrong with it. */
public final class ConfigReader {
  private static final ObjectMapper MAPPER =
      YAMLMapper.builder(new YAMLFactory())
          .addModule(ConfigJson.module())
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private ConfigReader() {}

  /**
   * Reads and checks the file.
   *
   * @throws LakestreamException INVALID_CONFIG naming file, line, key and the way out
   */
  public static LakestreamConfig read(Path file) {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new LakestreamException(
          e,
          ErrorCode.INVALID_CONFIG,
          "Cannot read the configuration %s: %s. Name a readable file with --config.",
          file,
          Files.exists(file) ? e.toString() : "there is no such file");
    }
    return parse(text, file.toString());
  }

  /**
   * Parses and checks the text of a configuration.
   *
   * @param name of the file, for messages
   */
  public static LakestreamConfig parse(String text, String name) {
    try {
      LakestreamConfig config = MAPPER.readValue(text, LakestreamConfig.class);
      return config == null ? LakestreamConfig.defaults() : config;
    } catch (UnrecognizedPropertyException e) {
      throw unknownKey(e, name);
    } catch (JsonMappingException e) {
      if (isEmpty(text)) {
        return LakestreamConfig.defaults();
      }
      throw invalid(e, name, key(e.getPath()), reason(e));
    } catch (JsonProcessingException e) {
      throw invalid(e, name, "", firstLine(e.getOriginalMessage()));
    }
  }

  private static boolean isEmpty(String text) {
    return text.lines().allMatch(line -> line.isBlank() || line.strip().startsWith("#"));
  }

  private static LakestreamException unknownKey(UnrecognizedPropertyException e, String name) {
    List<String> known = e.getKnownPropertyIds().stream().map(Object::toString).sorted().toList();
    Optional<String> near = NearName.of(e.getPropertyName(), known);
    return new LakestreamException(
        e,
        ErrorCode.INVALID_CONFIG,
        "Cannot read %s%s: unknown key %s. %s",
        name,
        line(e.getLocation()),
        key(e.getPath()),
        near.map(key -> "Did you mean '" + key + "'?")
            .orElse("Known here: " + String.join(", ", known) + "."));
  }

  private static LakestreamException invalid(
      JsonProcessingException e, String name, String key, String reason) {
    return new LakestreamException(
        e,
        ErrorCode.INVALID_CONFIG,
        "Cannot read %s%s: %s%s",
        name,
        line(e.getLocation()),
        key.isEmpty() ? "" : key + ": ",
        reason);
  }

  private static String line(JsonLocation location) {
    return location == null || location.getLineNr() < 1 ? "" : ", line " + location.getLineNr();
  }

  private static String key(List<JsonMappingException.Reference> path) {
    return path.stream()
        .map(
            part -> part.getFieldName() == null ? "[" + part.getIndex() + "]" : part.getFieldName())
        .collect(Collectors.joining("."));
  }

  // Our own checks speak for themselves; Jackson's messages carry class names after the first line.
  private static String reason(JsonMappingException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof LakestreamException) {
        return cause.getMessage();
      }
    }
    return firstLine(e.getOriginalMessage());
  }

  private static String firstLine(String message) {
    return message.lines().findFirst().orElse("not valid YAML");
  }
}
