package io.lakestream.distribution.laptop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.cdc.CaptureEngine;
import io.lakestream.cdc.CaptureStatus;
import io.lakestream.cdc.source.SourceConfig;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.distribution.cli.StatusReport;
import io.lakestream.distribution.config.ConfigReader;
import io.lakestream.distribution.config.LakestreamConfig;
import io.lakestream.distribution.config.SourceSettings;
import io.lakestream.distribution.verify.SourceReader;
import io.lakestream.distribution.verify.UnionView;
import io.lakestream.distribution.verify.Verifier;
import io.lakestream.distribution.verify.VerifyReport;
import io.lakestream.distribution.verify.View;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import io.lakestream.union.UnionReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Capture of real tables inside of laptop mode, and what other processes see of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CaptureIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path folder;

  private LaptopInstance instance;

  @BeforeAll
  void start() throws Exception {
    instance =
        LaptopInstance.start(
            LakestreamConfig.defaults().withData(folder.resolve("data")), true, line -> {});
    sql("CREATE TABLE good (id int PRIMARY KEY, v text)");
    sql("INSERT INTO good SELECT i, 'v' || i FROM generate_series(1, 100) i");
    sql("CREATE TABLE keyless (a int)");
    sql("CREATE TABLE odd (place float8 PRIMARY KEY)");
  }

  @AfterAll
  void stop() {
    instance.close();
  }

  @Test
  void goodTablesReachTheLakeWhileRefusedOnesAreNamed() throws Exception {
    SourceSettings source = source("user: postgres");

    CaptureEngine engine = instance.capture("shop", source);

    assertThat(engine.status().tables())
        .filteredOn(table -> !table.reason().isEmpty())
        .extracting(CaptureStatus.Table::name)
        .containsExactly("public.keyless", "public.odd");
    try (Instance outside = Instance.open(folder.resolve("data"))) {
      assertThat(outside.source("shop").user()).isEqualTo("postgres");
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertCaptured(StatusReport.collect(outside)));
    }
    assertThat(Files.readString(folder.resolve("data/lakestream.json")))
        .contains("\"shop\"")
        .doesNotContain("password\"");
  }

  private static void assertCaptured(StatusReport report) {
    // The refused sources of the other tests are on the board, too.
    StatusReport.Source shop =
        report.sources().stream()
            .filter(source -> source.name().equals("shop"))
            .findFirst()
            .orElseThrow();
    assertThat(shop.state()).isEqualTo("STREAMING");
    assertThat(shop.position()).contains("/");
    assertThat(shop.lagMs()).isBetween(0L, 60_000L);
    List<StatusReport.Table> tables =
        report.tables().stream().filter(table -> table.source().equals("shop")).toList();
    assertThat(tables)
        .extracting(StatusReport.Table::name)
        .containsExactly("public.good", "public.keyless", "public.odd");
    StatusReport.Table good = tables.get(0);
    assertThat(good.state()).isEqualTo("LIVE");
    assertThat(good.rows()).isEqualTo(100);
    assertThat(good.tailRows()).isZero();
    assertThat(good.lakeSnapshotId()).isPositive();
    assertThat(good.lakeAgeMs()).isNotNegative();
    StatusReport.Table odd = tables.get(2);
    assertThat(odd.state()).isEqualTo("REFUSED");
    assertThat(odd.reason()).contains("public.odd").contains("place").contains("double");
    assertThat(odd.rows()).isNull();
  }

  @Test
  void viewAndLakeFollowColumnsThatAreAddedInPlaceAndTablesThatAreRebuilt() throws Exception {
    sql("CREATE SCHEMA shapes");
    sql("CREATE TABLE shapes.grows (id int PRIMARY KEY, v int)");
    sql("CREATE TABLE shapes.rebuilt (id int PRIMARY KEY, v int)");
    sql("INSERT INTO shapes.grows SELECT i, i FROM generate_series(1, 50) i");
    sql("INSERT INTO shapes.rebuilt SELECT i, i FROM generate_series(1, 50) i");
    SourceSettings source = source("user: postgres, tables: ['shapes.*']");
    CaptureEngine engine = instance.capture("shapes", source);
    try (Instance outside = Instance.open(folder.resolve("data"))) {
      assertSameAsSource(outside, List.of("id", "v"), List.of("id", "v"));
      sql("UPDATE shapes.grows SET v = 0 WHERE id < 5");
      sql("ALTER TABLE shapes.grows ADD COLUMN w text");
      sql("UPDATE shapes.grows SET w = 'w' WHERE id IN (3, 30)");
      sql("INSERT INTO shapes.grows VALUES (51, 51, 'new')");
      sql("ALTER TABLE shapes.rebuilt ADD COLUMN w numeric(9,2) DEFAULT 1.5, DROP COLUMN v");
      sql("UPDATE shapes.rebuilt SET w = 2 WHERE id = 2");
      assertSameAsSource(outside, List.of("id", "v", "w"), List.of("id", "w"));
      assertThat(
              outside.tables().list().stream()
                  .filter(live -> live.definition().name().source().equals("shapes"))
                  .map(live -> live.generation().number()))
          .containsExactly(1, 2);
    }
    assertThat(engine.failure()).isEmpty();
  }

  private static void assertSameAsSource(
      Instance outside, List<String> grows, List<String> rebuilt) {
    TableName first = new TableName("shapes", "shapes", "grows");
    TableName second = new TableName("shapes", "shapes", "rebuilt");
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              assertThat(definition(outside, first).columnNames()).isEqualTo(grows);
              assertThat(definition(outside, second).columnNames()).isEqualTo(rebuilt);
              SourceConfig config = outside.source("shapes");
              try (SourceConnection marks = SourceConnection.open(config);
                  SourceReader rows = SourceReader.open(config);
                  UnionReader reader = UnionReader.open(outside.tables(), outside.lake())) {
                List<TableDefinition> tables =
                    List.of(definition(outside, first), definition(outside, second));
                List<View> views =
                    List.of(
                        new UnionView(reader, Optional::empty),
                        new LakeOnly(outside.tables(), outside.lake()));
                for (View view : views) {
                  VerifyReport report =
                      new Verifier(
                              rows,
                              marks::mark,
                              view,
                              folder.resolve("tmp"),
                              Duration.ofSeconds(20))
                          .verifyQuiet(tables);
                  assertThat(report.tables())
                      .allSatisfy(
                          table -> {
                            assertThat(table.differences()).isEmpty();
                            assertThat(table.rows()).isGreaterThan(49);
                          });
                }
              }
            });
  }

  private static TableDefinition definition(Instance outside, TableName name) {
    return outside.tables().find(name).orElseThrow().definition();
  }

  @Test
  void aRoleWithoutReplicationIsRefusedWithTheWayOut() throws Exception {
    sql("CREATE ROLE plain LOGIN");

    assertThatThrownBy(() -> instance.capture("plain", source("user: plain")))
        .hasMessageContaining("source plain")
        .hasMessageContaining("REPLICATION");
    assertThat(instance.captures()).doesNotContainKey("plain");
    assertThat(instance.failure()).isEmpty();
  }

  @Test
  void withoutAFreeSlotTheServerSettingIsNamed() throws Exception {
    for (int i = 0; i < 12; i++) {
      sql(
          "DO $$ BEGIN PERFORM pg_create_physical_replication_slot('full_"
              + i
              + "');"
              + " EXCEPTION WHEN configuration_limit_exceeded THEN NULL; END $$");
    }
    try {
      assertThatThrownBy(() -> instance.capture("late", source("user: postgres")))
          .hasMessageContaining("source late")
          .hasMessageContaining("max_replication_slots");
    } finally {
      sql(
          "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots"
              + " WHERE slot_name LIKE 'full_%'");
    }
  }

  private SourceSettings source(String more) {
    return ConfigReader.parse(
            "sources: {shop: {database: postgres, port: %s, %s}}"
                .formatted(instance.postgres().orElseThrow().port(), more),
            "test")
        .sources()
        .get("shop");
  }

  private void sql(String text) throws SQLException {
    try (Connection connection =
            instance.postgres().orElseThrow().database("postgres").getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }
}
