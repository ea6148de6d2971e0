package io.lakestream.distribution.laptop;

import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.distribution.config.SourceSettings;
import io.lakestream.tables.error.LakestreamException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the sources all that can be asked before anything is started for them, and changes nothing
 * in them.
 */
public final class SourceProbe {
  private static final Logger LOG = LoggerFactory.getLogger(SourceProbe.class);

  private SourceProbe() {}

  /**
   * Checks each source: that it answers, can be captured, has tables that match, and that a first
   * capture of them could be prepared.
   *
   * @return what is wrong, by source in the order given; empty where all is well
   */
  public static Map<String, LakestreamException> check(Map<String, SourceSettings> sources) {
    Map<String, LakestreamException> faults = new LinkedHashMap<>();
    sources.forEach(
        (name, settings) -> {
          try (SourceConnection connection = SourceConnection.open(Stages.source(name, settings))) {
            // Whether an earlier capture left its place, the source itself knows.
            connection.check(false);
            connection.checkFirstCapture(connection.discover());
          } catch (LakestreamException e) {
            LOG.debug("Source cannot be captured: source={}", name, e);
            faults.put(name, e);
          }
        });
    return faults;
  }
}
