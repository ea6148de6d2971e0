package io.lakestream.distribution.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lakestream.cdc.source.ColumnOverride;
import io.lakestream.cdc.source.SourceType;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConfigReaderTest {
  private static final String FILE = "lakestream.yaml";

  @Test
  void everyKeyHasADefault() {
    LakestreamConfig config = ConfigReader.parse("# nothing set\n", FILE);

    assertThat(config).isEqualTo(LakestreamConfig.defaults());
    assertThat(config.data()).isEqualTo(Path.of("./data"));
    assertThat(config.minFreeSpace()).isEqualTo(new DataSize(500L * 1024 * 1024));
    assertThat(config.sources()).isEmpty();
    assertThat(config.lake())
        .isEqualTo(
            new LakeSettings(
                Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(30), 1));
    assertThat(config.ports()).isEqualTo(new PortSettings(0, 0, 0, 0));
  }

  @Test
  void aSourceNeedsOnlyItsDatabase() {
    assertThat(ConfigReader.parse("sources: {shop: {database: shop}}", FILE).sources())
        .containsExactly(
            Map.entry(
                "shop",
                new SourceSettings(
                    SourceType.POSTGRES,
                    "127.0.0.1",
                    5432,
                    "shop",
                    "lakestream",
                    "",
                    "",
                    "prefer",
                    "",
                    List.of("public.*"),
                    List.of(),
                    1,
                    Duration.ofSeconds(1),
                    "follow",
                    1000,
                    Map.of())));
  }

  @Test
  void aMariaDbHasItsOwnPortAndTakesItsDatabaseForASchema() {
    SourceSettings shop =
        ConfigReader.parse("sources: {shop: {type: mariadb, database: my-shop}}", FILE)
            .sources()
            .get("shop");
    assertThat(shop.type()).isEqualTo(SourceType.MARIADB);
    assertThat(shop.port()).isEqualTo(3306);
    assertThat(shop.tables()).containsExactly("\"my-shop\".*");
  }

  @Test
  void everyKeyCanBeSet() {
    LakestreamConfig config =
        ConfigReader.parse(
            """
            data: /var/lib/lakestream
            min-free-space: 2GB
            sources:
              shop:
                type: postgres
                host: db.example.com
                port: 6432
                database: shop
                user: reader
                password-env: SHOP_PASSWORD
                ssl: verify-full
                ssl-root-cert: /etc/shop-ca.pem
                tables: ["public.*", "sales.order*"]
                exclude: ["public.audit"]
                buckets: 4
                heartbeat: 500ms
                schema-change: pause
                quarantine-limit: 50
                table-settings:
                  public.orders:
                    schema-change: follow
                    quarantine-limit: 7
                    columns:
                      total: {type: "decimal(20,4)"}
                      note: {type: skip}
              other:
                database: other
                password-file: /run/secrets/other
            lake:
              commit-interval: 10s
              freshness-objective: 1m
              takeover: 2m
              parallelism: 2
            ports:
              zookeeper: 2181
              coordinator: 9123
              tablet: 9124
              postgres: 5433
            """,
            FILE);

    assertThat(config.data()).isEqualTo(Path.of("/var/lib/lakestream"));
    assertThat(config.minFreeSpace()).isEqualTo(new DataSize(2L * 1024 * 1024 * 1024));
    assertThat(config.sources().keySet()).containsExactly("shop", "other");
    assertThat(config.sources().get("shop"))
        .isEqualTo(
            new SourceSettings(
                SourceType.POSTGRES,
                "db.example.com",
                6432,
                "shop",
                "reader",
                "SHOP_PASSWORD",
                "",
                "verify-full",
                "/etc/shop-ca.pem",
                List.of("public.*", "sales.order*"),
                List.of("public.audit"),
                4,
                Duration.ofMillis(500),
                "pause",
                50,
                Map.of(
                    "public.orders",
                    new TableSettings(
                        "follow",
                        Map.of(
                            "total",
                            new ColumnSettings("decimal(20,4)"),
                            "note",
                            new ColumnSettings("skip")),
                        7))));
    assertThat(config.sources().get("shop").overrides().find("public.orders", "total"))
        .contains(ColumnOverride.parse("decimal(20, 4)"));
    assertThat(config.sources().get("shop").overrides().find("public.orders", "note"))
        .contains(ColumnOverride.SKIP);
    assertThat(config.sources().get("shop").overrides().find("public.orders", "id")).isEmpty();
    assertThat(config.sources().get("shop").schemaChanges().areFollowed("public.orders")).isTrue();
    assertThat(config.sources().get("shop").schemaChanges().areFollowed("public.other")).isFalse();
    assertThat(config.sources().get("other").passwordFile()).isEqualTo("/run/secrets/other");
    assertThat(config.lake())
        .isEqualTo(
            new LakeSettings(
                Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(2), 2));
    assertThat(config.ports()).isEqualTo(new PortSettings(2181, 9123, 9124, 5433));
  }

  @Test
  void theExampleFileHoldsTheDefaults() {
    LakestreamConfig example =
        ConfigReader.read(Path.of("..", "lakestream.example.yaml").toAbsolutePath());
    LakestreamConfig bare =
        ConfigReader.parse("sources: {shop: {database: shop, password-env: SHOP_PASSWORD}}", FILE);

    assertThat(example).isEqualTo(bare);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`dta: x`|line 1|unknown key dta.|Did you mean 'data'?",
        "`sources:\n  shop:\n    pasword-env: X`|line 3|unknown key sources.shop.pasword-env.|'password-env'",
        "`lake:\n  commit-intervall: 1s`|line 2|unknown key lake.commit-intervall.|'commit-interval'",
        "`lake:\n  colour: red`|line 2|unknown key lake.colour.|Known here: commit-interval, ",
        "`sources:\n  shop:\n    database: a\n    port: abc`|line 4|sources.shop.port|abc",
        "`lake:\n  commit-interval: soon`|line 2|lake.commit-interval|like 500ms, 1s",
        "`lake:\n  parallelism: 0`|line 2|parallelism|must be 1 to 16",
        "`data: a\ndata: b`|line 2|data|Duplicate",
        "`data: [`|line|lakestream.yaml|",
        "`sources: {shop: {type: oracle, database: a}}`|line 1|sources.shop.type|oracle",
        "`sources: {shop: {type: mariabd, database: a}}`|sources.shop.type|'mariabd'|Did you mean 'mariadb'?",
        "`sources: {a: {database: a, ssl: verify_full}}`|sources.a|Invalid ssl|Did you mean 'verify-full'?",
        "`sources: {a: {database: a, ssl-root-cert: ca.pem}}`|sources.a|ssl: prefer no certificate|remove ssl-root-cert",
        "`sources: {shop: {}}`|line 1|Missing sources.shop.database|name the database",
        "`sources: {lakestream: {database: a}}`|lakestream.yaml|Invalid source name|lakestream",
        "`sources: {a: {database: a, password-env: X, password-file: y}}`|sources.a|Keep one|both",
        "`min-free-space: much`|line 1|min-free-space|500MB",
        "`sources: {a: {database: a, table-settings: {s.t: {columns: {c: {type: txt}}}}}}`|table-settings.s.t.columns.c|'txt'|Did you mean 'text'?",
        "`sources: {a: {database: a, table-settings: {s.t: {columns: {c: {type: 'decimal(39,2)'}}}}}}`|s.t.columns.c|decimal(39,2)|1 to 38",
        "`sources: {a: {database: a, table-settings: {s.t: {column: {}}}}}`|line 1|table-settings.s.t.column.|Did you mean 'columns'?",
        "`sources: {a: {database: a, schema-change: ignore}}`|line 1|schema-change|must be follow or pause",
        "`ports: {tablet: 70000}`|line 1|tablet|65535",
      })
  void aMistakeIsNamedWithItsPlace(String text, String a, String b, String c) {
    assertThatThrownBy(() -> ConfigReader.parse(text, FILE))
        .isInstanceOfSatisfying(
            LakestreamException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_CONFIG))
        .hasMessageContaining("Cannot read lakestream.yaml")
        .hasMessageContaining(a)
        .hasMessageContaining(b)
        .hasMessageContaining(c == null ? "" : c);
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> ConfigReader.read(Path.of("nowhere.yaml")))
        .hasMessageContaining("nowhere.yaml: there is no such file")
        .hasMessageContaining("--config");
  }
}
