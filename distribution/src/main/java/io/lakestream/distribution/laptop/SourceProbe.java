package io.lakestream.distribution.laptop;

import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.distribution.config.SourceSettings;
import io.lakestream.tables.error.LakestreamException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Knocks at the sources before anything is started for them. */
public final class SourceProbe {
  private static final Logger LOG = LoggerFactory.getLogger(SourceProbe.class);

  private SourceProbe() {}

  /**
   * Connects to each source once.
   *
   * @throws LakestreamException the first source's failure where none can be reached. With one that
   *     can, the start goes on and says what is wrong with the others
   */
  public static void check(Map<String, SourceSettings> sources) {
    List<LakestreamException> failures = new ArrayList<>();
    sources.forEach(
        (name, settings) -> {
          try {
            SourceConnection.open(Stages.source(name, settings)).close();
          } catch (LakestreamException e) {
            LOG.debug("Source does not answer: source={}", name, e);
            failures.add(e);
          }
        });
    if (failures.size() == sources.size()) {
      throw failures.get(0);
    }
  }
}
