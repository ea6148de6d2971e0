package io.lakestream.cdc.mariadb;

import com.github.shyiko.mysql.binlog.event.EventData;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * What the binlog says of a table before each group of its rows. With binlog_row_metadata FULL that
 * is all there is to know, valid at that very place in the log: no copy of the catalog is kept, no
 * DDL is parsed to follow it.
 */
final class TableMap implements EventData {
  private static final long serialVersionUID = 1;

  private static final int HEADER_LENGTH = 8;
  private static final int UNKNOWN = -1;

  // Kinds of entries behind the columns.
  private static final int SIGNEDNESS = 1;
  private static final int DEFAULT_CHARSET = 2;
  private static final int COLUMN_CHARSET = 3;
  private static final int COLUMN_NAME = 4;
  private static final int SET_LABELS = 5;
  private static final int ENUM_LABELS = 6;
  private static final int LABELS_DEFAULT_CHARSET = 10;
  private static final int LABELS_COLUMN_CHARSET = 11;

  /**
   * A column.
   *
   * @param name empty where the log does not say it
   * @param type one of {@link WireType}
   * @param meta as the type defines it
   * @param unsigned true for an unsigned number
   * @param collation number of the collation of a text or of labels, -1 where the log does not say
   * @param labels of an enum or set, in the column's character set
   */
  record WireColumn(
      String name, int type, int meta, boolean unsigned, int collation, List<byte[]> labels) {}

  final long tableId;
  final String schema;
  final String table;
  final transient List<WireColumn> columns;

  /** Everything but the table's number, which changes without a change of the table. */
  private final byte[] content;

  private TableMap(
      long tableId, String schema, String table, List<WireColumn> columns, byte[] content) {
    this.tableId = tableId;
    this.schema = schema;
    this.table = table;
    this.columns = columns;
    this.content = content;
  }

  boolean isSameAs(TableMap other) {
    return other != null && Arrays.equals(content, other.content);
  }

  boolean hasNames() {
    return columns.stream().noneMatch(column -> column.name().isEmpty());
  }

  static TableMap parse(byte[] body) {
    ByteCursor in = new ByteCursor(body);
    long tableId = in.little(6);
    in.skip(2);
    String schema = in.terminated();
    String table = in.terminated();
    int count = in.packed();
    int[] types = new int[count];
    for (int i = 0; i < count; i++) {
      types[i] = in.unsignedByte();
    }
    int end = in.packed();
    end += in.position();
    int[] metas = new int[count];
    for (int i = 0; i < count; i++) {
      metas[i] = WireType.readMeta(types[i], in);
      types[i] = WireType.real(types[i], metas[i]);
    }
    in.skip(end - in.position() + (count + 7) / 8);
    List<WireColumn> columns = new Extras(types).read(in).columns(types, metas);
    return new TableMap(
        tableId, schema, table, columns, Arrays.copyOfRange(body, HEADER_LENGTH, body.length));
  }

  /** The entries behind the columns. */
  private static final class Extras {
    private final int[] types;
    private final BitSet unsigned = new BitSet();
    private final int[] collations;
    private final String[] names;
    private final List<List<byte[]>> labels = new ArrayList<>();

    Extras(int[] types) {
      this.types = types;
      this.collations = new int[types.length];
      this.names = new String[types.length];
      Arrays.fill(collations, UNKNOWN);
      Arrays.fill(names, "");
      for (int i = 0; i < types.length; i++) {
        labels.add(List.of());
      }
    }

    Extras read(ByteCursor in) {
      while (in.hasMore()) {
        int kind = in.unsignedByte();
        int length = in.packed();
        ByteCursor entry = new ByteCursor(in.bytes(length));
        switch (kind) {
          case SIGNEDNESS -> readSignedness(entry);
          case DEFAULT_CHARSET -> readDefault(entry, columnsThat(WireType::hasCollation));
          case COLUMN_CHARSET -> readEach(entry, columnsThat(WireType::hasCollation));
          case COLUMN_NAME -> readNames(entry);
          case SET_LABELS -> readLabels(entry, columnsThat(type -> type == WireType.SET));
          case ENUM_LABELS -> readLabels(entry, columnsThat(type -> type == WireType.ENUM));
          case LABELS_DEFAULT_CHARSET -> readDefault(entry, columnsThat(WireType::hasLabels));
          case LABELS_COLUMN_CHARSET -> readEach(entry, columnsThat(WireType::hasLabels));
          default -> {
            // Keys, kinds of geometries, what later versions add: not needed to read values.
          }
        }
      }
      return this;
    }

    private int[] columnsThat(java.util.function.IntPredicate wanted) {
      return java.util.stream.IntStream.range(0, types.length)
          .filter(i -> wanted.test(types[i]))
          .toArray();
    }

    // One bit per number, the highest bit of the first byte first.
    private void readSignedness(ByteCursor entry) {
      int[] numbers = columnsThat(WireType::isNumber);
      byte[] bits = entry.rest();
      for (int i = 0; i < numbers.length; i++) {
        if ((bits[i / 8] & (0x80 >> (i % 8))) != 0) {
          unsigned.set(numbers[i]);
        }
      }
    }

    private void readDefault(ByteCursor entry, int[] columns) {
      int common = entry.packed();
      for (int column : columns) {
        collations[column] = common;
      }
      while (entry.hasMore()) {
        int index = entry.packed();
        collations[columns[index]] = entry.packed();
      }
    }

    private void readEach(ByteCursor entry, int[] columns) {
      for (int column : columns) {
        collations[column] = entry.packed();
      }
    }

    private void readNames(ByteCursor entry) {
      for (int i = 0; i < names.length; i++) {
        names[i] = entry.utf8(entry.packed());
      }
    }

    private void readLabels(ByteCursor entry, int[] columns) {
      for (int column : columns) {
        int count = entry.packed();
        List<byte[]> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          values.add(entry.bytes(entry.packed()));
        }
        labels.set(column, values);
      }
    }

    List<WireColumn> columns(int[] realTypes, int[] metas) {
      List<WireColumn> columns = new ArrayList<>();
      for (int i = 0; i < realTypes.length; i++) {
        columns.add(
            new WireColumn(
                names[i], realTypes[i], metas[i], unsigned.get(i), collations[i], labels.get(i)));
      }
      return columns;
    }
  }
}
