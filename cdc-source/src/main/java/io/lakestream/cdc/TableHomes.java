package io.lakestream.cdc;

import io.lakestream.cdc.position.CapturedTable;
import io.lakestream.cdc.source.SourceTable;
import io.lakestream.cdc.source.TableCopy;
import io.lakestream.tables.change.Cut;
import io.lakestream.tables.ddl.FlussTables;
import io.lakestream.tables.ddl.Generations;
import io.lakestream.tables.ddl.LiveTable;
import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableDefinition;
import io.lakestream.tables.schema.TableName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The generations of a source's tables in Fluss when a session begins: which one is written, which
 * one is read meanwhile, which ones are of no use any more.
 */
final class TableHomes {
  private static final Logger LOG = LoggerFactory.getLogger(TableHomes.class);

  private final FlussTables tables;
  private final Generations generations;
  private final Optional<Cut> newest;

  /**
   * Looks at the tables before a session.
   *
   * @param newest cut of the source; nobody writes another one meanwhile
   */
  TableHomes(FlussTables tables, Optional<Cut> newest) {
    this.tables = tables;
    this.generations = tables.generations();
    this.newest = newest;
  }

  /** Notes the last cut that names a table which no cut is to name from now on. */
  void keepLastCut(TableName name) {
    tables
        .find(name)
        .filter(live -> live.lastCut().isEmpty())
        .ifPresent(
            live ->
                newest
                    .filter(cut -> cut.covers(live.tableId()))
                    .ifPresent(cut -> generations.keepLastCut(live, cut)));
  }

  /**
   * Begins a copy into a generation of its own, to be created by {@link #open}.
   *
   * @param why what there is of the table cannot be gone on with
   * @param attempts begun before this one since a copy was whole
   * @param seen by every reading of the copy
   */
  CapturedTable begin(SourceTable table, String why, int attempts, TableCopy.Seen seen) {
    TableName name = table.definition().name();
    keepLastCut(name);
    List<LiveTable> all = generations.of(name);
    int number = 1;
    for (LiveTable generation : all) {
      number = Math.max(number, generation.generation().number() + 1);
    }
    // Above all that were ever there: a path never stands for rows of two shapes.
    LOG.info("Copies a table anew: table={} generation={} reason={}", name, number, why);
    return CapturedTable.toCopy(
        name.schema(),
        name.table(),
        table.fingerprint(),
        new CapturedTable.Progress(number, why, seen.print(), attempts + 1, false, List.of(), 0),
        ColumnGrowth.remember(table, Map.of()));
  }

  /**
   * The table as the generation that is written holds it.
   *
   * @return empty where that generation is gone, or has another shape
   */
  Optional<SourceTable> fitted(SourceTable table, CapturedTable.Progress copy) {
    Optional<LiveTable> written = find(table.definition().name(), copy.generation());
    if (written.isEmpty()) {
      // Nothing of it need be in Fluss yet.
      return copy.whole() || !copy.lastKey().isEmpty() ? Optional.empty() : Optional.of(table);
    }
    return table.fittedTo(written.get().definition());
  }

  /**
   * Adds the new columns of a table in place.
   *
   * @param seen read behind the look at the table
   * @return empty where that would not be exact, or Fluss takes no rows with them
   */
  Optional<CapturedTable> grow(SourceTable now, CapturedTable table, TableCopy.Seen seen) {
    Optional<LiveTable> written =
        find(now.definition().name(), table.copy().generation())
            .filter(live -> !live.generation().isBehind());
    Optional<TableDefinition> grown =
        written.flatMap(live -> ColumnGrowth.of(now, table, live.definition()));
    if (grown.isEmpty()) {
      return Optional.empty();
    }
    List<String> added = ColumnGrowth.added(grown.get(), table, now);
    LOG.info("Adds columns in place: table={} columns={}", now.definition().name(), added);
    // Before it is remembered: a crash in between finds a table that grew, and columns that are
    // there already.
    return generations
        .extend(written.get(), grown.get())
        .map(
            live -> table.grown(now.fingerprint(), ColumnGrowth.remember(now, table, added, seen)));
  }

  private Optional<LiveTable> find(TableName name, int generation) {
    return generations.of(name).stream()
        .filter(table -> table.generation().number() == generation)
        .findFirst();
  }

  /**
   * Opens the generation that is written, creates it where it is missing, and drops those that
   * nobody reads.
   */
  LiveTable open(SourceTable table, CapturedTable.Progress copy) {
    TableName name = table.definition().name();
    List<LiveTable> others =
        generations.of(name).stream()
            .filter(other -> other.generation().number() != copy.generation())
            .toList();
    Optional<LiveTable> readable =
        others.stream().filter(other -> other.lastCut().isPresent()).reduce((a, b) -> b);
    LiveTable written =
        find(name, copy.generation())
            .orElseGet(
                () -> {
                  tables.ensureDatabase(name.source());
                  return generations.create(
                      table.definition(), copy.generation(), readable.isPresent());
                });
    // One that was never whole, or that another has taken the place of. The one that is read stays
    // until the first cut that names the new one.
    for (LiveTable other : others) {
      boolean read = written.generation().isBehind() && readable.filter(other::equals).isPresent();
      if (!read) {
        generations.drop(other);
      }
    }
    return written.definition().equals(table.definition())
        ? written
        : generations
            .extend(written, table.definition())
            .orElseThrow(
                () ->
                    new LakestreamException(
                        ErrorCode.FLUSS_FAILED,
                        "Cannot write table %s: Fluss takes no rows with its new columns. Take a new copy of it: lakestream cdc resync %s",
                        name.display(),
                        name.display()));
  }
}
