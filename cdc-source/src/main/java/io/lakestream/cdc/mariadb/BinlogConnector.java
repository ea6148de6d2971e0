package io.lakestream.cdc.mariadb;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.SourceConnector;

/** The stream of a MariaDB for Debezium's engine, which instantiates it. */
public final class BinlogConnector extends SourceConnector {
  private Map<String, String> settings = Map.of();

  @Override
  public void start(Map<String, String> properties) {
    settings = Map.copyOf(properties);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return BinlogTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int tasks) {
    return List.of(settings);
  }

  @Override
  public void stop() {
    // The task holds all that is open.
  }

  @Override
  public ConfigDef config() {
    return new ConfigDef();
  }

  @Override
  public String version() {
    return "1";
  }
}
