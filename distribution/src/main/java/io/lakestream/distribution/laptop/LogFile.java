package io.lakestream.distribution.laptop;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.builder.api.AppenderComponentBuilder;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilder;
import org.apache.logging.log4j.core.config.builder.api.ConfigurationBuilderFactory;
import org.apache.logging.log4j.core.config.builder.impl.BuiltConfiguration;

/**
 * Where this process logs: nowhere until a command knows its data folder, then into a rolling file
 * below it. The console belongs to our own lines.
 */
public final class LogFile {
  private static final String PATTERN = "%d{ISO8601} %-5p [%t] %c{1.} %m%n%xEx";
  private static final String MAX_SIZE = "20MB";
  private static final String KEPT_FILES = "5";

  /** System property: level of the libraries' loggers, WARN by default. */
  static final String LEVEL = "lakestream.log.level";

  /** Loggers whose warnings are about what we do not use, and come at every start. */
  private static final List<String> CHATTY =
      List.of(
          "org.apache.fluss.plugin.PluginConfig",
          "org.apache.fluss.client.token.DefaultSecurityTokenManager",
          "org.apache.fluss.shaded.arrow.org.apache.arrow.memory.CheckAllocator",
          "org.apache.flink.runtime.util.HadoopUtils",
          "org.apache.flink.runtime.webmonitor.WebMonitorUtils",
          "org.apache.flink.runtime.security.token.DefaultDelegationTokenManager",
          "org.apache.hadoop.util.NativeCodeLoader",
          "io.debezium.connector.postgresql.TypeRegistry");

  private static volatile Path current;

  private LogFile() {}

  /** The file that this process logs into; empty while it logs nowhere. */
  public static Optional<Path> current() {
    return Optional.ofNullable(current);
  }

  /** Logs nothing. Call before the first logger is made. */
  public static void silence() {
    ConfigurationBuilder<BuiltConfiguration> builder = builder();
    builder.add(builder.newRootLogger(Level.OFF));
    Configurator.reconfigure(builder.build());
  }

  /**
   * Logs into {@code <folder>/logs/<name>.log} from now on.
   *
   * @param name one per process that may run at the same time
   */
  public static void open(Path folder, String name) {
    Path logs = folder.resolve("logs");
    Path file = logs.resolve(name + ".log");
    ConfigurationBuilder<BuiltConfiguration> builder = builder();
    AppenderComponentBuilder appender =
        builder
            .newAppender("file", "RollingFile")
            .addAttribute("fileName", file.toString())
            .addAttribute("filePattern", logs.resolve(name + ".%i.log").toString())
            .add(builder.newLayout("PatternLayout").addAttribute("pattern", PATTERN))
            .addComponent(
                builder
                    .newComponent("Policies")
                    .addComponent(
                        builder
                            .newComponent("SizeBasedTriggeringPolicy")
                            .addAttribute("size", MAX_SIZE)))
            .addComponent(
                builder.newComponent("DefaultRolloverStrategy").addAttribute("max", KEPT_FILES));
    builder.add(appender);
    builder.add(builder.newLogger("io.lakestream", Level.INFO));
    CHATTY.forEach(logger -> builder.add(builder.newLogger(logger, Level.ERROR)));
    builder.add(
        builder
            .newRootLogger(Level.toLevel(System.getProperty(LEVEL), Level.WARN))
            .add(builder.newAppenderRef("file")));
    Configurator.reconfigure(builder.build());
    current = file;
  }

  /** Writes out what is pending. Loggers of this process are dead afterwards. */
  public static void close() {
    LogManager.shutdown();
  }

  private static ConfigurationBuilder<BuiltConfiguration> builder() {
    ConfigurationBuilder<BuiltConfiguration> builder =
        ConfigurationBuilderFactory.newConfigurationBuilder();
    builder.setStatusLevel(Level.ERROR);
    // Our own shutdown hook still logs; it closes the log when it is through.
    builder.setShutdownHook("disable");
    return builder;
  }
}
