package io.lakestream.distribution.query;

import io.lakestream.distribution.cli.DataOption;
import io.lakestream.distribution.cli.ExitCode;
import io.lakestream.distribution.laptop.Instance;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.union.UnionReader;
import io.lakestream.union.plan.ReadPlan;
import io.lakestream.union.plan.ReadPoint;
import io.lakestream.union.read.ReadOptions;
import io.lakestream.union.read.UnionRows;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.iceberg.data.Record;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "read",
    description = {
      "Reads a table as it is now: the newest lake snapshot and the changes behind it, merged. Rows come in no particular order."
    },
    footer = {
      "",
      "Conditions of --where: =, <>, <, <=, >, >=, AND, OR, NOT, IN, BETWEEN, IS [NOT] NULL, LIKE 'abc%%'; a column on one side, a literal on the other. Texts compare by code point.",
      "While a table is paused or being rebuilt, its rows are those from before; a line on standard error names their position.",
      "NULL and the empty text: table prints NULL and nothing, csv nothing and \"\", jsonl null and \"\".",
      "",
      "Examples:",
      "  lakestream read public.orders --limit 5",
      "  lakestream read public.orders --columns o_orderkey,o_totalprice --where \"o_totalprice > 300000\"",
      "  lakestream read public.customer --where \"c_mktsegment = 'BUILDING' AND c_acctbal < 0\" --format csv",
      "  lakestream read public.lineitem --at 0/16B3748 --format jsonl > lineitem.jsonl"
    })
final class ReadCommand implements Callable<Integer> {
  private static final int ROWS_PER_CHECK = 1000;

  @Spec private CommandSpec spec;
  @Mixin private DataOption data;

  @Parameters(paramLabel = "TABLE", description = "<schema>.<table>, or <source>/<schema>.<table>.")
  private String table;

  @Option(
      names = "--columns",
      paramLabel = "A,B",
      split = ",",
      description = "Columns to read, in this order (default: all).")
  private List<String> columns = List.of();

  @Option(
      names = "--where",
      paramLabel = "CONDITION",
      description = "SQL condition that the rows must meet.")
  private String where;

  @Option(names = "--limit", paramLabel = "N", description = "At most this many rows.")
  private Long limit;

  @Option(
      names = "--at",
      paramLabel = "POINT",
      defaultValue = "cut",
      description = {
        "cut: the newest boundary between source transactions (default).",
        "latest: everything that has arrived, also of a transaction that is still being written.",
        "A position of the source, such as 0/16B3748 or binlog.000042:1234: the newest",
        "cut at or before it."
      })
  private String at;

  @Option(
      names = "--format",
      paramLabel = "table|csv|jsonl",
      defaultValue = "table",
      description = "How to print (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Override
  public Integer call() throws IOException {
    try (Instance instance = data.open();
        UnionReader reader = UnionReader.open(instance.tables(), instance.lake())) {
      LiveTable live = TableChoice.find(instance.tables().list(), table);
      TableDefinition definition = live.definition();
      List<Column> chosen =
          columns.isEmpty() ? definition.columns() : ColumnChoice.list(definition, columns);
      ReadOptions options = options(definition, chosen);
      ReadPlan plan = reader.plan(definition.name(), point(instance, definition.name().source()));
      warnOfOlderRows(plan);
      try (UnionRows rows = reader.read(plan, options)) {
        print(rows, chosen);
      }
      return ExitCode.OK;
    }
  }

  private void warnOfOlderRows(ReadPlan plan) {
    plan.table()
        .lastCut()
        .ifPresent(
            last ->
                spec.commandLine()
                    .getErr()
                    .printf(
                        "Table %s is paused or being rebuilt: these rows are from position %s. 'lakestream tables' says why.%n",
                        plan.table().definition().name().display(),
                        plan.cut().map(Cut::position).orElse(last.position())));
  }

  private ReadOptions options(TableDefinition definition, List<Column> chosen) {
    ReadOptions options = ReadOptions.all().withColumns(chosen.stream().map(Column::name).toList());
    if (where != null) {
      options = options.withFilter(WhereClause.parse(where, definition));
    }
    return limit == null ? options : options.withLimit(limit);
  }

  private ReadPoint point(Instance instance, String source) {
    return switch (at.toLowerCase(Locale.ROOT)) {
      case "cut" -> ReadPoint.latestCut();
      case "latest" -> ReadPoint.latest();
      default -> ReadPoint.at(instance.parsePosition(source, at));
    };
  }

  private void print(UnionRows rows, List<Column> chosen) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    RowOutput output = format.open(out, chosen);
    Object[] values = new Object[chosen.size()];
    long printed = 0;
    while (rows.hasNext()) {
      Record row = rows.next();
      for (int i = 0; i < values.length; i++) {
        values[i] = row.get(i);
      }
      output.row(values);
      if (++printed % ROWS_PER_CHECK == 0 && out.checkError()) {
        return; // the reader of a pipe, such as head, has seen enough
      }
    }
    output.end();
  }
}
