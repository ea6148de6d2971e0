package io.lakestream.tables.lake;

import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where the lake is.
 *
 * @param catalogUri JDBC URI of the catalog database, for example {@code
 *     jdbc:sqlite:/data/lake/catalog.db}
 * @param warehouse root of the tables' files: a local path with scheme {@code file:}, or another
 *     that {@code properties} name a FileIO for
 * @param properties further catalog properties, such as user, password or S3 settings
 */
public record LakeConfig(String catalogUri, String warehouse, Map<String, String> properties)
    implements Serializable {
  public LakeConfig {
    properties = Map.copyOf(properties);
  }

  /** Never prints values of properties: they may be secrets. */
  @Override
  public String toString() {
    return "LakeConfig[catalogUri="
        + catalogUri.replaceFirst("\\?.*", "")
        + ", warehouse="
        + warehouse
        + ", properties="
        + new TreeMap<>(properties).keySet()
        + "]";
  }
}
