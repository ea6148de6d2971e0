package io.lakestream.distribution.cli;

import io.lakestream.distribution.laptop.Instance;
import io.lakestream.distribution.verify.QuarantinedRows;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableName;
import io.lakestream.tables.system.StateBoard;
import io.lakestream.union.UnionReader;
import io.lakestream.union.ViewStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@code status} shows. The component names are those of its JSON, which scripts rely on: none
 * may go or change its meaning; null stands for "none yet".
 */
public record StatusReport(List<Source> sources, List<Table> tables) {
  private static final Logger LOG = LoggerFactory.getLogger(StatusReport.class);

  /**
   * One source.
   *
   * @param state name of a {@link StateBoard.SourceState}
   * @param reason why, where the state needs one; otherwise empty
   * @param position of the newest cut, null before the first
   * @param lagMs time since the source committed the last transaction in that cut; a heartbeat
   *     keeps it small on an idle source. Null before the first cut
   */
  public record Source(String name, String state, String reason, String position, Long lagMs) {}

  /**
   * One table, refused ones too.
   *
   * @param source whose table it is
   * @param name {@code <schema>.<table>}
   * @param state name of a {@link StateBoard.TableState}
   * @param reason why, where the state needs one; otherwise empty
   * @param rows in the view
   * @param tailRows log entries that the lake does not hold yet
   * @param freshnessMs how far the view is behind the source
   * @param lakeSnapshotId newest Iceberg snapshot
   * @param lakeAgeMs time since that was committed
   * @param lakeFiles data files in it
   * @param quarantined rows that the view lacks because a value has no exact home
   */
  public record Table(
      String source,
      String name,
      String state,
      String reason,
      Long rows,
      Long tailRows,
      Long freshnessMs,
      Long lakeSnapshotId,
      Long lakeAgeMs,
      Long lakeFiles,
      long quarantined) {}

  public StatusReport {
    sources = List.copyOf(sources);
    tables = List.copyOf(tables);
  }

  /** Asks Fluss and the lake. */
  public static StatusReport collect(Instance instance) {
    List<StateBoard.Entry> board;
    try (StateBoard states = StateBoard.open(instance.tables())) {
      board = states.list();
    }
    QuarantinedRows quarantined = QuarantinedRows.read(instance.tables());
    Map<TableName, LiveTable> live = new TreeMap<>();
    instance.tables().list().forEach(table -> live.put(table.definition().name(), table));
    try (UnionReader reader = UnionReader.open(instance.tables(), instance.lake())) {
      List<Source> sources = new ArrayList<>();
      List<Table> tables = new ArrayList<>();
      for (StateBoard.Entry entry : board) {
        if (entry.table().isEmpty()) {
          sources.add(source(entry, reader.newestCut(entry.source())));
        } else {
          tables.add(table(entry, live, reader, quarantined.count(entry.source(), entry.table())));
        }
      }
      return new StatusReport(sources, tables);
    }
  }

  private static Source source(StateBoard.Entry entry, Optional<Cut> cut) {
    return new Source(
        entry.source(),
        entry.state(),
        entry.reason(),
        cut.map(newest -> newest.position().text()).orElse(null),
        cut.map(newest -> Duration.between(newest.sourceTime(), Instant.now()).toMillis())
            .map(ms -> Math.max(ms, 0))
            .orElse(null));
  }

  private static Table table(
      StateBoard.Entry entry,
      Map<TableName, LiveTable> live,
      UnionReader reader,
      long quarantined) {
    Optional<TableName> name =
        live.keySet().stream()
            .filter(candidate -> candidate.source().equals(entry.source()))
            .filter(candidate -> candidate.display().equals(entry.table()))
            .findFirst();
    if (name.isEmpty()) {
      return withoutView(entry, entry.reason(), quarantined);
    }
    try {
      return withView(entry, reader.status(name.get()), quarantined);
    } catch (LakestreamException e) {
      // One table that cannot be looked at must not hide the others.
      LOG.warn("Cannot show the view of a table: table={}", name.get(), e);
      return withoutView(entry, e.getMessage(), quarantined);
    }
  }

  private static Table withoutView(StateBoard.Entry entry, String reason, long quarantined) {
    return new Table(
        entry.source(),
        entry.table(),
        entry.state(),
        reason,
        null,
        null,
        null,
        null,
        null,
        null,
        quarantined);
  }

  private static Table withView(StateBoard.Entry entry, ViewStatus view, long quarantined) {
    return new Table(
        entry.source(),
        entry.table(),
        entry.state(),
        entry.reason(),
        view.rows(),
        view.tailRows(),
        orNull(view.freshnessMs()),
        orNull(view.lakeSnapshotId()),
        orNull(view.lakeAgeMs()),
        view.lakeFiles(),
        quarantined);
  }

  private static Long orNull(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }
}
