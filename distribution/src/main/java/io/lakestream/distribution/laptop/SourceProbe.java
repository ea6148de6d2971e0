package io.lakestream.distribution.laptop;

import io.lakestream.cdc.source.Discovery;
import io.lakestream.cdc.source.Requirement;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.distribution.config.SourceSettings;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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

  /**
   * All that {@link #check} asks of a source, and its tables, each with what was found.
   *
   * @throws LakestreamException INVALID_CONFIG where the password is not where the settings say
   */
  public static List<Requirement> list(String name, SourceSettings settings) {
    SourceConfig config = Stages.source(name, settings);
    String required = config.address() + " as " + config.user();
    List<Requirement> all = new ArrayList<>();
    try (SourceConnection connection = SourceConnection.open(config)) {
      all.add(Requirement.met("connection", required, "connected"));
      all.addAll(connection.requirements(false));
      all.addAll(tables(connection, config));
    } catch (LakestreamException e) {
      LOG.debug("Source cannot be checked: source={}", name, e);
      String found = all.isEmpty() ? "not connected" : "lost or refused";
      all.add(Requirement.missing("connection", required, found, e.getMessage(), e));
    }
    return all;
  }

  private static List<Requirement> tables(SourceConnection connection, SourceConfig config) {
    List<Requirement> all = new ArrayList<>();
    try {
      Discovery found = connection.discover();
      all.addAll(connection.preparations(found));
      all.addAll(found.requirements());
    } catch (LakestreamException e) {
      if (e.code() != ErrorCode.UNKNOWN_TABLE) {
        throw e;
      }
      String required = String.join(", ", config.include());
      all.add(Requirement.missing("tables", required, "none", e.getMessage(), e));
    }
    return all;
  }
}
