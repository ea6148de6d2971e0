package io.lakestream.cdc.source;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/** Collects what a discovery finds: the tables that pass their checks, and why others do not. */
public final class TableChecks {
  private final SourceConfig config;
  private final List<SourceTable> tables = new ArrayList<>();
  private final List<Refusal> refusals = new ArrayList<>();

  public TableChecks(SourceConfig config) {
    this.config = config;
  }

  /**
   * Checks a table.
   *
   * @param checks refuses it through its argument, or returns what to capture
   */
  public void add(String schema, String table, Function<Table, SourceTable> checks) {
    Table checked = new Table(schema, table);
    try {
      SourceTable passed = checks.apply(checked);
      passed.definition().name().toFluss(); // a name that Fluss cannot spell is refused here
      tables.add(passed);
    } catch (RefusedException e) {
      refusals.add(e.refusal);
    } catch (LakestreamException e) {
      if (e.code() == ErrorCode.SOURCE_UNREACHABLE) {
        throw e;
      }
      String problem = e.getMessage().replaceFirst("\\.$", "");
      refusals.add(new Refusal(schema, table, e.code(), problem, checked.toGoOnWithoutIt()));
    }
  }

  /** What was found, in the order of the names. */
  public Discovery discovery() {
    tables.sort(Comparator.comparing(table -> table.definition().name()));
    refusals.sort(Comparator.comparing(Refusal::display));
    return new Discovery(tables, refusals);
  }

  /** A table that is being checked. */
  public final class Table {
    private final String schema;
    private final String name;

    private Table(String schema, String name) {
      this.schema = schema;
      this.name = name;
    }

    /** Refuses a table that can only be left out. */
    public void refuseIf(boolean condition, String problem) {
      refuseIf(condition, problem, "");
    }

    /**
     * Refuses the table.
     *
     * @param problem as the middle of a sentence
     * @param fix what mends it, as the beginning of a sentence: {@code Run ALTER …;}; may be empty
     */
    public void refuseIf(boolean condition, String problem, String fix) {
      if (condition) {
        throw refused(ErrorCode.SOURCE_REFUSED, problem, fix);
      }
    }

    /** What to throw for a table that is refused. */
    public RuntimeException refused(ErrorCode code, String problem, String fix) {
      String wayOut = fix.isEmpty() ? toGoOnWithoutIt() : fix + " or " + exclude() + ".";
      return new RefusedException(new Refusal(schema, name, code, problem, wayOut));
    }

    /** What to throw for a table whose way out is not to leave it out. */
    public RuntimeException unreadable(String problem, String fix) {
      return new RefusedException(
          new Refusal(schema, name, ErrorCode.SOURCE_REFUSED, problem, fix));
    }

    private String toGoOnWithoutIt() {
      return "To go on without it, " + exclude() + ".";
    }

    private String exclude() {
      return "exclude the table (sources.%s.exclude: ['%s.%s'])"
          .formatted(config.name(), TablePatterns.exactly(schema), TablePatterns.exactly(name));
    }
  }

  private static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    RefusedException(Refusal refusal) {
      super(refusal.reason());
      this.refusal = refusal;
    }
  }
}
