package io.lakestream.distribution.verify;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.ErrorText;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.TableDefinition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterator;

/**
 * Compares one table of the source with the view.
 *
 * <p>Memory: the source's rows of one part, about {@value #ROWS_PER_PART}, and the differences.
 */
final class TableComparison {
  private static final int ROWS_PER_PART = 100_000;
  private static final int MAX_PARTS = 500;

  private final TableDefinition table;
  private final RowText texts;
  private final Path folder;

  TableComparison(TableDefinition table, Path folder) {
    this.table = table;
    this.texts = new RowText(table);
    this.folder = folder;
  }

  /**
   * What came out.
   *
   * @param rows of the source
   * @param differences by key
   */
  record Result(long rows, Map<List<String>, List<Difference>> differences) {}

  Result compare(SourceReader source, View.Pinned view) {
    long rows = source.count(table.name());
    int parts = (int) Math.max(1, Math.min(MAX_PARTS, (rows + ROWS_PER_PART - 1) / ROWS_PER_PART));
    Map<List<String>, List<Difference>> differences = new HashMap<>();
    try (RowSpill ofSource = RowSpill.create(folder, parts);
        RowSpill ofView = RowSpill.create(folder, parts)) {
      source.readAll(
          table,
          read -> {
            String[] row = texts.ofSource(read);
            ofSource.add(texts.key(row), row);
          });
      readView(view, row -> ofView.add(texts.key(row), row));
      for (int part = 0; part < parts; part++) {
        comparePart(ofSource, ofView, part, differences);
      }
    }
    return new Result(rows, differences);
  }

  /** Rows of the source by key: those of {@code keys} that exist. */
  Map<List<String>, String[]> sourceRows(SourceReader source, Set<List<String>> keys) {
    Map<List<String>, String[]> rows = new HashMap<>();
    source.readKeys(
        table,
        keys,
        read -> {
          String[] row = texts.ofSource(read);
          // The source may take other texts for equal to those that were asked for.
          if (keys.contains(texts.key(row))) {
            rows.put(texts.key(row), row);
          }
        });
    return rows;
  }

  /** Differences at {@code keys} only, with the source's rows at hand. */
  Map<List<String>, List<Difference>> compareKeys(
      Map<List<String>, String[]> sourceRows, View.Pinned view, Set<List<String>> keys) {
    Side left = new Side(sourceRows);
    Map<List<String>, List<Difference>> differences = new HashMap<>();
    readView(
        view,
        row -> {
          if (keys.contains(texts.key(row))) {
            left.meet(row, differences);
          }
        });
    left.finish(differences);
    return differences;
  }

  private void comparePart(
      RowSpill ofSource,
      RowSpill ofView,
      int part,
      Map<List<String>, List<Difference>> differences) {
    Map<List<String>, String[]> rows = new HashMap<>();
    try (RowSpill.Reader reader = ofSource.read(part)) {
      for (Optional<String[]> row = reader.next(); row.isPresent(); row = reader.next()) {
        rows.put(texts.key(row.get()), row.get());
      }
    }
    Side left = new Side(rows);
    try (RowSpill.Reader reader = ofView.read(part)) {
      for (Optional<String[]> row = reader.next(); row.isPresent(); row = reader.next()) {
        left.meet(row.get(), differences);
      }
    }
    left.finish(differences);
  }

  /** Rows of the source that view rows are held against. */
  private final class Side {
    private final Map<List<String>, String[]> rows;
    private final Set<List<String>> met = new HashSet<>();

    Side(Map<List<String>, String[]> rows) {
      this.rows = rows;
    }

    void meet(String[] viewRow, Map<List<String>, List<Difference>> differences) {
      List<String> key = texts.key(viewRow);
      List<Difference> found = new ArrayList<>();
      String[] row = rows.get(key);
      if (row == null) {
        found.add(Difference.extra(table, key));
      } else if (!met.add(key)) {
        found.add(Difference.twice(table, key));
      } else {
        for (int i = 0; i < row.length; i++) {
          if (!Objects.equals(row[i], viewRow[i])) {
            found.add(
                Difference.value(table, key, table.columns().get(i).name(), row[i], viewRow[i]));
          }
        }
      }
      if (!found.isEmpty()) {
        differences.computeIfAbsent(key, k -> new ArrayList<>()).addAll(found);
      }
    }

    void finish(Map<List<String>, List<Difference>> differences) {
      for (List<String> key : rows.keySet()) {
        if (!met.contains(key)) {
          differences
              .computeIfAbsent(key, k -> new ArrayList<>())
              .add(Difference.missing(table, key));
        }
      }
    }
  }

  private interface RowConsumer {
    void accept(String[] row);
  }

  private void readView(View.Pinned view, RowConsumer rows) {
    try (CloseableIterator<Record> iterator = view.rows(table.name())) {
      while (iterator.hasNext()) {
        rows.accept(texts.ofView(iterator.next()));
      }
    } catch (IOException e) {
      throw new LakestreamException(
          e, ErrorCode.LAKE_FAILED, "Cannot read %s: %s", table.name().display(), ErrorText.of(e));
    }
  }
}
