package io.lakestream.cdc;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table of a {@link CaptureStorm}: what the storm knows of its shape and of the keys that are
 * there, and the statements that change it. Keys come from small numbers, so that they meet often.
 */
final class StormTable {
  static final int KEYS = 25;
  private static final int LONG = 9_000;
  private static final List<String> KEY_TEXTS = List.of("", "a", "A", "ä ", "日本", "x''y", "NULL");

  /** A column beside the key. */
  private record Column(String name, Kind kind) {}

  private enum Kind {
    INT("int"),
    TEXT("varchar(80)"),
    LONG_TEXT("text"),
    DECIMAL("decimal(12,2)");

    private final String type;

    Kind(String type) {
      this.type = type;
    }

    private String literal(Random random) {
      if (random.nextInt(6) == 0) {
        return "null";
      }
      return switch (this) {
        case INT -> String.valueOf(random.nextInt());
        case TEXT ->
            "'" + KEY_TEXTS.get(random.nextInt(KEY_TEXTS.size())) + random.nextInt(9) + "'";
        case LONG_TEXT -> "repeat('" + random.nextInt(1_000_000) + "', " + LONG / 6 + ")";
        case DECIMAL -> random.nextInt(1_000_000) + ".25";
      };
    }
  }

  private final StormDialect dialect;
  private final String name;
  private final int kind;
  private final List<Column> columns = new ArrayList<>();
  private TreeSet<Integer> keys = new TreeSet<>();
  private TreeSet<Integer> keysBefore = new TreeSet<>();
  private int columnsMade;

  /**
   * @param kind which key it has, 0 to 7
   */
  StormTable(StormDialect dialect, String name, int kind) {
    this.dialect = dialect;
    this.name = name;
    this.kind = kind;
  }

  String name() {
    return name;
  }

  void begin() {
    keysBefore = new TreeSet<>(keys);
  }

  void rolledBack() {
    keys = keysBefore;
  }

  /** Statements that create it, with other columns than before where there was one. */
  List<String> create() {
    keys = new TreeSet<>();
    columns.clear();
    for (Kind value : List.of(Kind.INT, Kind.TEXT, Kind.LONG_TEXT)) {
      columns.add(new Column(nextName(), value));
    }
    List<String> definitions = new ArrayList<>(keyDefinitions());
    columns.forEach(column -> definitions.add(column.name() + " " + column.kind().type));
    definitions.add("primary key (" + String.join(", ", primaryKey()) + ")");
    List<String> statements = new ArrayList<>();
    statements.add("create table " + name + " (" + String.join(", ", definitions) + ")");
    String external = dialect.keepLongTextOut(name, columns.get(2).name());
    if (!external.isEmpty()) {
      statements.add(external);
    }
    return statements;
  }

  private String nextName() {
    columnsMade++;
    return "c" + columnsMade;
  }

  private List<String> keyDefinitions() {
    return switch (kind) {
      case 0 -> List.of("id bigint");
      case 1 -> List.of("a varchar(20)", "b int");
      case 2 -> List.of("id " + dialect.uuid);
      case 3 -> List.of("at " + dialect.instant);
      case 4 -> List.of("id decimal(12,2)");
      case 5 -> List.of("id " + dialect.keyText);
      case 6 -> List.of("d date", "n smallint");
      default -> List.of("id " + dialect.bytes);
    };
  }

  private List<String> keyNames() {
    return keyDefinitions().stream().map(d -> d.substring(0, d.indexOf(' '))).toList();
  }

  private List<String> primaryKey() {
    return kind == 1 ? List.of("b", "a") : keyNames();
  }

  private List<String> key(int n) {
    return switch (kind) {
      case 0 -> List.of(String.valueOf((n - KEYS / 2) * 1_000_000_007L));
      case 1 -> List.of("'line " + n % 5 + "'", String.valueOf(n / 5));
      case 2 -> List.of("'00000000-0000-0000-0000-0000000000%02d'".formatted(n));
      case 3 -> List.of("'19%02d-12-31 23:59:59.%06d'".formatted(60 + n, n * 1_234));
      case 4 -> List.of((n - 5) + ".50");
      case 5 -> List.of("'" + KEY_TEXTS.get(n % KEY_TEXTS.size()) + n / KEY_TEXTS.size() + "'");
      case 6 -> List.of("date '2024-02-%02d'".formatted(1 + n % 10), String.valueOf(n / 10 - 1));
      default -> List.of(dialect.bytes("00%02x".formatted(n)));
    };
  }

  private String where(int n) {
    List<String> names = keyNames();
    List<String> values = key(n);
    return " where "
        + IntStream.range(0, names.size())
            .mapToObj(i -> names.get(i) + " = " + values.get(i))
            .collect(Collectors.joining(" and "));
  }

  /** One change of rows, as statements that succeed. */
  List<String> change(Random random) {
    int n = random.nextInt(KEYS);
    int other = random.nextInt(KEYS);
    return switch (random.nextInt(8)) {
      case 0 -> delete(n);
      case 1 -> {
        List<String> statements = new ArrayList<>(delete(n));
        statements.add(insert(n, random));
        statements.addAll(delete(n));
        statements.add(insert(n, random));
        yield statements;
      }
      case 2 -> move(n, other);
      case 3, 4 -> keys.contains(n) ? List.of(update(n, random)) : List.of(insert(n, random));
      case 5 -> List.of("update " + name + " set " + assignment(columns.get(0), random));
      default -> keys.contains(n) ? List.of(update(n, random)) : List.of(insert(n, random));
    };
  }

  private List<String> delete(int n) {
    keys.remove(n);
    return List.of("delete from " + name + where(n));
  }

  private String insert(int n, Random random) {
    keys.add(n);
    List<String> names = new ArrayList<>(keyNames());
    List<String> values = new ArrayList<>(key(n));
    for (Column column : columns) {
      names.add(column.name());
      values.add(column.kind().literal(random));
    }
    return "insert into %s (%s) values (%s)"
        .formatted(name, String.join(", ", names), String.join(", ", values));
  }

  private List<String> move(int from, int to) {
    if (from == to || !keys.contains(from) || keys.contains(to)) {
      return List.of();
    }
    keys.remove(from);
    keys.add(to);
    List<String> names = keyNames();
    List<String> values = key(to);
    return List.of(
        "update "
            + name
            + " set "
            + IntStream.range(0, names.size())
                .mapToObj(i -> names.get(i) + " = " + values.get(i))
                .collect(Collectors.joining(", "))
            + where(from));
  }

  private String update(int n, Random random) {
    Column column = columns.get(random.nextInt(columns.size()));
    return "update " + name + " set " + assignment(column, random) + where(n);
  }

  private static String assignment(Column column, Random random) {
    return column.name() + " = " + column.kind().literal(random);
  }

  List<String> truncate() {
    keys = new TreeSet<>();
    return List.of("truncate table " + name);
  }

  /** One change of its shape. */
  List<String> alter(Random random) {
    switch (random.nextInt(7)) {
      case 0 -> {
        return List.of(add(Kind.INT, ""));
      }
      case 1 -> {
        return List.of(
            add(Kind.INT, " not null default 42"),
            "alter table %s alter column %s drop default"
                .formatted(name, columns.get(columns.size() - 1).name()),
            setNullable());
      }
      case 2 -> {
        return List.of(add(Kind.TEXT, " default (" + dialect.volatileDefault + ")"));
      }
      case 3 -> {
        if (columns.size() < 2) {
          return List.of(add(Kind.DECIMAL, " default 1.5"));
        }
        Column dropped = columns.remove(random.nextInt(columns.size() - 1) + 1);
        return List.of("alter table " + name + " drop column " + dropped.name());
      }
      case 4 -> {
        int i = random.nextInt(columns.size());
        Column renamed = new Column(nextName(), columns.get(i).kind());
        String before = columns.set(i, renamed).name();
        return List.of(
            "alter table %s rename column %s to %s".formatted(name, before, renamed.name()));
      }
      case 5 -> {
        return columns.stream()
            .filter(column -> column.kind() == Kind.INT)
            .findFirst()
            .map(column -> List.of(dialect.widen(name, column.name())))
            .orElseGet(() -> List.of(add(Kind.INT, "")));
      }
      default -> {
        List<String> statements = new ArrayList<>();
        statements.add("drop table " + name);
        statements.addAll(create());
        return statements;
      }
    }
  }

  private String setNullable() {
    String column = columns.get(columns.size() - 1).name();
    return dialect == StormDialect.POSTGRES
        ? "alter table %s alter column %s drop not null".formatted(name, column)
        : "alter table %s modify column %s int null".formatted(name, column);
  }

  private String add(Kind added, String rest) {
    Column column = new Column(nextName(), added);
    columns.add(column);
    return "alter table " + name + " add column " + column.name() + " " + added.type + rest;
  }
}
