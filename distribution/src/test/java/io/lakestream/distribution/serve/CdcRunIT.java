package io.lakestream.distribution.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lakestream.distribution.config.LakestreamConfig;
import io.lakestream.distribution.laptop.EmbeddedPostgres17;
import io.lakestream.distribution.laptop.LaptopInstance;
import io.lakestream.tables.schema.TableName;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Capture as a process of its own, beside a Fluss and a PostgreSQL that run already. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CdcRunIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path folder;

  private LaptopInstance servers;

  @BeforeAll
  void startServers() {
    servers =
        LaptopInstance.start(
            LakestreamConfig.defaults().withData(folder.resolve("data")), true, line -> {});
  }

  @AfterAll
  void stopServers() {
    servers.close();
  }

  private String url() {
    return servers.postgres().orElseThrow().url(EmbeddedPostgres17.USER);
  }

  private void sql(String... statements) {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Path config(String source, String table) throws Exception {
    Matcher address = Pattern.compile("//([^:/]+):(\\d+)/([^?]+)").matcher(url());
    assertThat(address.find()).isTrue();
    return Files.writeString(
        folder.resolve(source + ".yaml"),
        """
        fluss: {bootstrap-servers: "%s"}
        sources:
          %s:
            host: %s
            port: %s
            database: %s
            user: %s
            tables: ["public.%s"]
        """
            .formatted(
                servers.endpoints().flussBootstrap(),
                source,
                address.group(1),
                address.group(2),
                address.group(3),
                EmbeddedPostgres17.USER,
                table));
  }

  private long rows(String source, String table) {
    return servers
        .tables()
        .find(new TableName(source, "public", table))
        .map(live -> servers.tables().rowCount(live))
        .orElse(-1L);
  }

  @Test
  void itCapturesShowsItsHealthAndStopsCleanlyOnSigterm() throws Exception {
    sql(
        "create table plain (id int primary key, d date)",
        "insert into plain select i, '2024-01-01' from generate_series(1, 1000) i",
        "insert into plain values (0, 'infinity')",
        "analyze plain");
    Path config = config("run", "plain");
    try (CaptureChild child = CaptureChild.start(config, folder.resolve("one"))) {
      await().atMost(PATIENCE).until(() -> child.page("/livez").isPresent());
      assertThat(child.page("/livez").orElseThrow().statusCode()).isEqualTo(200);
      await().atMost(PATIENCE).until(() -> rows("run", "plain") == 1000 && child.isReady());
      sql("insert into plain values (2000, '2024-01-01')", "delete from plain where id = 1");
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  child
                      .page("/metrics")
                      .orElseThrow()
                      .body()
                      .contains("deletes_total{source=\"run\",table=\"public.plain\"} 1.0"));
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertMetricsAreThoseOfTheirPage(child.page("/metrics").orElseThrow()));
      assertThat(child.page("/metrics").orElseThrow().body())
          .contains("lakestream_cdc_quarantined_rows{source=\"run\",table=\"public.plain\"} 1.0")
          .contains("lakestream_cdc_source_state{source=\"run\",state=\"STREAMING\"} 1.0");
      assertThat(child.page("/other").orElseThrow().statusCode()).isEqualTo(404);
      await()
          .atMost(PATIENCE)
          .until(() -> child.output().contains("progress source=run state=STREAMING"));

      child.signal("TERM");
      assertThat(child.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(child.process().exitValue()).isEqualTo(143);
      assertThat(child.output()).endsWith("Stopped.\n");
    }
    sql("insert into plain values (2001, '2024-01-01')");
    try (CaptureChild child = CaptureChild.start(config, folder.resolve("one"))) {
      assertThat(child.process().isAlive()).isTrue();
      await().atMost(PATIENCE).until(() -> rows("run", "plain") == 1001);
    }
  }

  private static void assertMetricsAreThoseOfTheirPage(HttpResponse<String> metrics)
      throws Exception {
    TreeSet<String> served = new TreeSet<>();
    metrics
        .body()
        .lines()
        .filter(line -> line.startsWith("# TYPE "))
        .forEach(line -> served.add(line.split(" ", -1)[2]));
    TreeSet<String> described = new TreeSet<>();
    Matcher names =
        Pattern.compile("^\\| `(lakestream_\\w+)`", Pattern.MULTILINE)
            .matcher(Files.readString(Path.of("..", "docs", "metrics.md")));
    while (names.find()) {
      described.add(names.group(1));
    }
    assertThat(served).isEqualTo(described);
  }

  @Test
  void aConfigurationWithoutACluster() throws Exception {
    Path config = Files.writeString(folder.resolve("none.yaml"), "sources: {a: {database: a}}");
    try (CaptureChild child = CaptureChild.start(config, folder.resolve("none"))) {
      assertThat(child.process().waitFor(20, TimeUnit.SECONDS)).isTrue();
      assertThat(child.process().exitValue()).isEqualTo(3);
      assertThat(child.output()).contains("names no Fluss cluster").contains("bootstrap-servers");
    }
  }
}
