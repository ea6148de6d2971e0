package io.lakestream.distribution.laptop;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cdc.MariaDbValues;
import io.lakestream.cdc.TestMariaDb;
import io.lakestream.distribution.Main;
import io.lakestream.distribution.cli.ExitCode;
import io.lakestream.distribution.config.ConfigReader;
import io.lakestream.distribution.config.LakestreamConfig;
import io.lakestream.tables.schema.TableName;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.NoSuchElementException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A MariaDB from its configuration to its verification, with the commands that users type. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MariaDbIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @RegisterExtension
  static final TestMariaDb SOURCE =
      new TestMariaDb().with("--transaction-isolation=READ-COMMITTED");

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path folder;

  private LaptopInstance instance;

  @BeforeAll
  void start() throws Exception {
    SOURCE.createDatabase(
        "my_shop",
        MariaDbValues.TABLE,
        "create table orders (code varchar(9) collate utf8mb4_general_ci, day timestamp(3), raw varbinary(4),"
            + " bits bit(5), total decimal(50,2), note text, primary key (code, day, raw, bits, total))",
        "insert into orders values ('Äb', '2024-01-01 00:00:00.120', x'00ff', b'00101', 1.50, 'first'),"
            + " ('c', '2024-01-01 00:00:00', x'', b'0', -1, null)",
        "create table keyless (id int)");
    SOURCE.run("my_shop", MariaDbValues.inserts(1));
    Path password = Files.writeString(folder.resolve("password"), TestMariaDb.PASSWORD + "\n");
    LakestreamConfig config =
        ConfigReader.parse(
            """
            data: %s
            sources:
              shop:
                type: mariadb
                port: %s
                database: my_shop
                user: %s
                password-file: %s
                heartbeat: 200ms
            """
                .formatted(folder.resolve("data"), SOURCE.port(), TestMariaDb.USER, password),
            "test");
    assertThat(SourceProbe.check(config.sources())).isEmpty();
    assertThat(SourceProbe.list("shop", config.sources().get("shop")))
        .filteredOn(requirement -> !requirement.isMet())
        .singleElement()
        .satisfies(r -> assertThat(r.name()).isEqualTo("table my_shop.keyless"))
        .satisfies(r -> assertThat(r.fix()).contains("ALTER TABLE `my_shop`.`keyless` ADD"));
    instance = LaptopInstance.start(config, false, line -> {});
    instance.capture("shop", config.sources().get("shop"));
  }

  @AfterAll
  void stop() {
    if (instance != null) {
      instance.close();
    }
  }

  @Test
  void whatIsCopiedAndStreamedEqualsTheSource() {
    assertThat(run("wait"))
        .startsWith("0\ncovered source=shop position=binlog.")
        .contains(" cut=binlog.");
    awaitCopied();
    assertThat(run("verify")).startsWith("0\n").contains("verified tables=2 rows=6 differences=0");
    SOURCE.run("my_shop", MariaDbValues.inserts(100));
    SOURCE.run(
        "my_shop",
        "update orders set code = 'äB', note = 'the same key to the server' where code = 'äb'",
        "update orders set total = 2.25 where code = 'c'",
        "delete from all_types where id = 2");
    assertThat(run("verify")).startsWith("0\n").contains("verified tables=2 rows=9 differences=0");
    assertThat(run("status")).contains("STREAMING").contains("binlog.").contains("keyless");
    assertThat(run("tables")).contains("my_shop.orders").contains("REFUSED");
    String cut = run("wait").replaceFirst("(?s).* cut=(\\S+).*", "$1");
    assertThat(run("read", "my_shop.orders", "--where", "code = 'c'", "--at", cut))
        .startsWith("0\n")
        .contains("2.25");
    assertThat(run("wait", "--position", "0/16B3748")).startsWith("3\n").contains("binlog");

    // A day that no calendar has: its row is missing, and the reason is said.
    SOURCE.run(
        "my_shop", "set sql_mode=''", "insert into all_types (id, da) values (50, '0000-00-00')");
    assertThat(run("verify", "my_shop.all_types"))
        .startsWith("1\n")
        .contains("key=(50)")
        .contains("quarantined");
    SOURCE.run("my_shop", "delete from all_types where id = 50");

    long before = tableId();
    assertThat(run("cdc", "resync", "my_shop.orders"))
        .startsWith("0\nrequested source=shop table=my_shop.orders");
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreException(NoSuchElementException.class)
        .until(() -> tableId() != before);
    awaitCopied();
    assertThat(run("verify")).startsWith("0\n").contains("verified tables=2 rows=9 differences=0");
  }

  private long tableId() {
    TableName orders = new TableName("shop", "my_shop", "orders");
    return instance.tables().find(orders).orElseThrow().tableId();
  }

  private void awaitCopied() {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(instance.captures().get("shop").status().tables())
                    .filteredOn(table -> table.state().name().equals("LIVE"))
                    .hasSize(2));
  }

  private String run(String... arguments) {
    StringWriter out = new StringWriter();
    PrintWriter printer = new PrintWriter(out, true);
    String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--data";
    all[arguments.length + 1] = folder.resolve("data").toString();
    int exit = Main.commandLine().setOut(printer).setErr(printer).execute(all);
    assertThat(exit).isNotEqualTo(ExitCode.INTERNAL);
    return exit + "\n" + out;
  }
}
