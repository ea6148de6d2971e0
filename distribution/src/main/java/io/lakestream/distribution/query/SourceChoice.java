package io.lakestream.distribution.query;

import io.lakestream.distribution.laptop.Instance;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.error.NearName;
import java.util.Set;

/** Finds the source that a user means. */
final class SourceChoice {
  private SourceChoice() {}

  /**
   * The source of this name, or the only one.
   *
   * @param typed null where the user named none
   * @throws LakestreamException INVALID_ARGUMENT where there is no such source, or none was named
   *     and there are several
   */
  static String find(Instance instance, String typed) {
    Set<String> names = instance.endpoints().sources().keySet();
    if (typed == null && names.size() == 1) {
      return names.iterator().next();
    }
    if (typed != null && !names.isEmpty()) {
      return find(names, typed);
    }
    if (names.isEmpty()) {
      throw new LakestreamException(
          ErrorCode.NOT_RUNNING,
          "No source is captured yet in %s. Try again in a moment; 'lakestream status' shows how far it is.",
          instance.folder());
    }
    throw new LakestreamException(
        ErrorCode.INVALID_ARGUMENT, "Missing --source: name one of %s", String.join(", ", names));
  }

  /** The source of this name. Throws INVALID_ARGUMENT with the one that was probably meant. */
  static String find(Set<String> names, String typed) {
    if (!names.contains(typed)) {
      throw new LakestreamException(
          ErrorCode.INVALID_ARGUMENT,
          "Unknown source: '%s'.%s The sources: %s",
          typed,
          NearName.of(typed, names).map(near -> " Did you mean '" + near + "'?").orElse(""),
          String.join(", ", names));
    }
    return typed;
  }
}
