package io.lakestream.distribution.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lakestream.cdc.CaptureStatus;
import io.lakestream.cdc.source.SourceConnection;
import io.lakestream.distribution.Main;
import io.lakestream.distribution.config.LakestreamConfig;
import io.lakestream.distribution.laptop.Instance;
import io.lakestream.distribution.laptop.LaptopInstance;
import io.lakestream.distribution.verify.CutWait;
import io.lakestream.distribution.verify.Difference;
import io.lakestream.distribution.verify.SourceReader;
import io.lakestream.distribution.verify.UnionView;
import io.lakestream.distribution.verify.Verifier;
import io.lakestream.distribution.verify.VerifyReport;
import io.lakestream.distribution.verify.View;
import io.lakestream.tables.change.SourcePosition;
import io.lakestream.tables.ddl.FlussCalls;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import io.lakestream.union.UnionReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import org.apache.fluss.client.table.Table;
import org.apache.fluss.client.table.writer.UpsertWriter;
import org.apache.fluss.row.GenericRow;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterator;
import org.assertj.core.groups.Tuple;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The demo's parts together: all real, one instance, the tests in their order. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class DemoIT {
  private static final long SEED = 42;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private static Path folder;
  private static LaptopInstance instance;
  private static DemoDatabase database;
  private static UnionReader reader;

  @BeforeAll
  static void start() throws SQLException {
    startInstance();
    try (Connection connection = database.connect()) {
      new TpchLoader(connection, (table, rows) -> {}).load(OptionalDouble.empty(), 0.001);
    }
    capture();
  }

  @AfterAll
  static void stop() {
    stopInstance();
  }

  @Test
  @Order(1)
  void theViewIsTheSourceAfterAWorkloadThatBeganDuringTheFirstCopy() {
    runWorkload(SEED, Duration.ofSeconds(15));
    assertThat(verifyQuiet(unionView()).differences()).isEmpty();
  }

  @Test
  @Order(2)
  void theLakeAloneIsTheSourceOnceTieringHasCaughtUp() {
    awaitEmptyTail();
    VerifyReport report = verifyQuiet(new LakeAlone());
    assertThat(report.differences()).isEmpty();
    assertThat(report.tables()).hasSize(8);
  }

  @Test
  @Order(3)
  void theCommandsReadWhatWasWrittenBefore() throws SQLException {
    execute("UPDATE public.nation SET n_comment = 'a \"b\", überall' WHERE n_nationkey = 1");
    assertThat(run(0, "wait")).startsWith("covered source=shop position=0/");
    assertThat(
            run(0, "read", "public.nation", "--where", "n_name = 'ARGENTINA'", "--format", "csv"))
        .isEqualTo(
            "n_nationkey,n_name,n_regionkey,n_comment\n1,ARGENTINA                ,1,\"a \"\"b\"\", überall\"\n");
    assertThat(
            run(
                0,
                "read",
                "shop/public.region",
                "--columns",
                "r_regionkey",
                "--where",
                "r_regionkey >= 4",
                "--format",
                "jsonl",
                "--at",
                "latest"))
        .isEqualTo("{\"r_regionkey\":4}\n");
    assertThat(run(0, "read", "public.lineitem", "--limit", "3")).contains("(3 rows)");
    assertThat(run(0, "describe", "public.partsupp"))
        .contains("primary key    ps_partkey, ps_suppkey")
        .contains("decimal(15,2)  numeric(15,2)");
    assertThat(run(0, "verify", "public.nation", "public.region"))
        .contains("verified tables=2 rows=30 differences=0 position=0/");
    assertThat(run(3, "read", "public.ordrs")).contains("Did you mean public.orders?");
    assertThat(run(3, "read", "orders")).contains("Did you mean public.orders?");
    assertThat(run(3, "read", "public.orders", "--where", "o_totalprice + 1 > 2"))
        .contains("Cannot use o_totalprice + 1 in --where");
    assertThat(run(4, "wait", "--position", "FF/0", "--timeout", "1s"))
        .contains("does not cover position FF/0 after 1000 ms: it reaches 0/");
  }

  @Test
  @Order(4)
  void aLiveVerificationAgreesWhileTheWorkloadRuns() {
    Workload workload = Workload.start(database.connect(), SEED + 1, 40, Operation.defaultMix());
    try (workload) {
      Awaitility.await().atMost(PATIENCE).until(() -> workload.committed() > 20);
      assertThat(run(0, "verify")).contains("verified tables=8").contains(" differences=0");
    }
    assertThat(workload.failure()).isEmpty();
  }

  @Test
  @Order(5)
  void startingAgainGoesOnWithoutANewCopy() {
    stopInstance();
    startInstance();
    capture();
    runWorkload(SEED + 2, Duration.ofSeconds(5));
    VerifyReport report = verifyQuiet(unionView());
    assertThat(report.differences()).isEmpty();
    long applied =
        instance.captures().get(DemoDatabase.SOURCE).status().tables().stream()
            .mapToLong(table -> table.changes().applied())
            .sum();
    assertThat(applied).isPositive().isLessThan(report.rows());
  }

  @Test
  @Order(6)
  void plantedDifferencesAreFound() throws SQLException {
    execute("UPDATE public.nation SET n_comment = '' WHERE n_nationkey = 5");
    await();
    LiveTable nation =
        instance
            .tables()
            .find(new TableName(DemoDatabase.SOURCE, "public", "nation"))
            .orElseThrow();
    Table table = instance.tables().openTable(nation.path());
    try {
      UpsertWriter writer = table.newUpsert().createWriter();
      TableDefinition definition = nation.definition();
      List<CompletableFuture<?>> written =
          List.of(
              writer.upsert(row(definition, 3, "CANADA                   ", 1, "planted")),
              writer.delete(row(definition, 4, null, null, null)),
              writer.upsert(row(definition, 5, "ETHIOPIA                 ", 0, null)),
              writer.upsert(row(definition, 99, "ATLANTIS", 1, "not on any map")));
      writer.flush();
      written.forEach(change -> FlussCalls.await(change, "plant a difference"));
    } finally {
      FlussCalls.close(table, "nation");
    }
    // The next cut passes what was planted.
    execute("UPDATE public.nation SET n_comment = 'x' WHERE n_nationkey = 7");

    VerifyReport report = verifyQuiet(unionView());
    assertThat(report.differences())
        .extracting(d -> d.key().get(0), Difference::column)
        .containsExactlyInAnyOrder(
            Tuple.tuple("3", "n_comment"),
            Tuple.tuple("4", "(row)"),
            Tuple.tuple("5", "n_comment"),
            Tuple.tuple("99", "(row)"));
    String printed = run(1, "verify", "public.nation");
    assertThat(printed)
        .contains("key=(5) column=n_comment source='' view=NULL")
        .contains("key=(4) column=(row) source=a row view=no row")
        .contains("verified tables=1 rows=25 differences=4 position=0/");
  }

  private static GenericRow row(TableDefinition definition, Object... values) {
    GenericRow row = new GenericRow(values.length);
    for (int i = 0; i < values.length; i++) {
      row.setField(i, definition.columns().get(i).type().toFlussValue(values[i]));
    }
    return row;
  }

  private static void startInstance() {
    instance =
        LaptopInstance.start(
            LakestreamConfig.defaults().withData(folder.resolve("data")), true, line -> {});
    database = DemoDatabase.prepare(instance.postgres().orElseThrow());
    reader = UnionReader.open(instance.tables(), instance.lake());
  }

  private static void stopInstance() {
    reader.close();
    instance.close();
  }

  private static void capture() {
    CaptureStatus status = instance.capture(DemoDatabase.SOURCE, database.source()).status();
    assertThat(status.tables()).hasSize(8);
  }

  private static void runWorkload(long seed, Duration time) {
    long began = System.nanoTime();
    Workload workload = Workload.start(database.connect(), seed, 50, Operation.defaultMix());
    try (workload) {
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> System.nanoTime() - began > time.toNanos() && workload.committed() > 20);
    }
    assertThat(workload.failure()).as("seed " + seed).isEmpty();
  }

  private static void await() {
    try (Instance self = Instance.open(instance.folder());
        SourceConnection source = SourceConnection.open(self.source(DemoDatabase.SOURCE))) {
      CutWait.await(reader, DemoDatabase.SOURCE, source.mark(), PATIENCE, instance::failure);
    }
  }

  private static void awaitEmptyTail() {
    await();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> tables().stream().allMatch(table -> reader.status(table.name()).tailRows() == 0));
  }

  private static View unionView() {
    return new UnionView(reader, instance::failure);
  }

  private static VerifyReport verifyQuiet(View view) {
    try (Instance self = Instance.open(instance.folder());
        SourceConnection source = SourceConnection.open(self.source(DemoDatabase.SOURCE));
        SourceReader rows = SourceReader.open(self.source(DemoDatabase.SOURCE))) {
      return new Verifier(rows, source::mark, view, folder.resolve("tmp"), PATIENCE)
          .verifyQuiet(tables());
    }
  }

  private static List<TableDefinition> tables() {
    return instance.tables().list().stream().map(LiveTable::definition).toList();
  }

  /** Iceberg's own reader: what any other engine would see. */
  private static final class LakeAlone implements View {
    @Override
    public Pinned pin(Collection<TableName> tables, SourcePosition position, Duration timeout) {
      return new Pinned() {
        @Override
        public SourcePosition position() {
          return position;
        }

        @Override
        public CloseableIterator<Record> rows(TableName table) {
          return IcebergGenerics.read(instance.lake().find(table).orElseThrow()).build().iterator();
        }
      };
    }
  }

  private static void execute(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static String run(int expectedCode, String... arguments) {
    StringWriter out = new StringWriter();
    CommandLine command =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    String[] all = java.util.Arrays.copyOf(arguments, arguments.length + 2);
    all[arguments.length] = "--data";
    all[arguments.length + 1] = instance.folder().toString();
    int code = command.execute(all);
    assertThat(code).as("exit code of " + List.of(arguments) + ": " + out).isEqualTo(expectedCode);
    return out.toString();
  }
}
