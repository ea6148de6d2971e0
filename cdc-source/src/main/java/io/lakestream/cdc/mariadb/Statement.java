package io.lakestream.cdc.mariadb;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A statement in the binlog, as far as it has to be understood: what kind it is and which tables it
 * may concern. It is not parsed: whatever looks like a captured table's name counts as one, since a
 * table that is paused without need is a nuisance, and one that goes on with wrong rows is worse.
 */
final class Statement {
  /** What a statement does to the rows of the tables it names. */
  enum Effect {
    /** Nothing, or what the next description of the table in the log tells. */
    NONE,
    TRUNCATE,
    /** The table of that name is gone, or is another one. */
    REPLACE,
    /** Rows went or came with a partition. */
    MOVE_PARTITIONS,
    /** A foreign key now changes rows without a trace in the log. */
    CASCADE,
    /** Rows changed, and the log has the statement instead of the rows. */
    CHANGE_ROWS
  }

  /** A word, a quoted name, or a single other character. */
  private record Token(String text, boolean isName) {
    boolean is(String word) {
      return text.equalsIgnoreCase(word);
    }
  }

  private static final Set<String> ROW_CHANGES =
      Set.of("INSERT", "UPDATE", "DELETE", "REPLACE", "LOAD", "WITH", "CALL", "DO", "SELECT");

  private final String database;
  private final List<Token> tokens;
  private final int end;

  private Statement(String database, List<Token> tokens) {
    this.database = database;
    this.tokens = tokens;
    int target = createdTable();
    // What else a CREATE TABLE names it only reads.
    this.end = target < 0 ? tokens.size() : target + (isQualified(target) ? 3 : 1);
  }

  /**
   * Looks at a statement.
   *
   * @param database that names without one belong to; may be empty
   */
  static Statement of(String database, String sql) {
    List<Token> tokens = tokens(sql);
    // SET STATEMENT name = value FOR the statement itself
    if (tokens.size() > 2 && tokens.get(0).is("SET") && tokens.get(1).is("STATEMENT")) {
      for (int i = 2; i < tokens.size(); i++) {
        if (tokens.get(i).is("FOR")) {
          tokens = tokens.subList(i + 1, tokens.size());
          break;
        }
      }
    }
    return new Statement(database, tokens);
  }

  /** What the statement does to the tables that it {@linkplain #names names}. */
  Effect effect() {
    if (tokens.isEmpty()) {
      return Effect.NONE;
    }
    String first = tokens.get(0).text().toUpperCase(Locale.ROOT);
    if (ROW_CHANGES.contains(first)) {
      return Effect.CHANGE_ROWS;
    }
    return switch (first) {
      case "TRUNCATE" -> Effect.TRUNCATE;
      case "RENAME" -> second("TABLE") || second("TABLES") ? Effect.REPLACE : Effect.NONE;
      case "DROP" -> second("TABLE") || second("TABLES") ? Effect.REPLACE : Effect.NONE;
      case "CREATE" -> create();
      case "ALTER" -> alter();
      default -> Effect.NONE;
    };
  }

  /** The database that the statement drops; empty for any other statement. */
  String droppedDatabase() {
    boolean drops =
        tokens.size() > 2
            && tokens.get(0).is("DROP")
            && (tokens.get(1).is("DATABASE") || tokens.get(1).is("SCHEMA"));
    return drops ? tokens.get(tokens.size() - 1).text() : "";
  }

  /** True where a name in the statement may be that table's. */
  boolean names(String schema, String table) {
    for (int i = 0; i < Math.min(end, tokens.size()); i++) {
      if (tokens.get(i).isName() && tokens.get(i).is(table)) {
        boolean qualified = i >= 2 && tokens.get(i - 1).text().equals(".");
        String owner = qualified ? tokens.get(i - 2).text() : database;
        if (owner.isEmpty() || owner.equalsIgnoreCase(schema)) {
          return true;
        }
      }
    }
    return false;
  }

  /** True for what the server itself writes when it starts with a MEMORY table empty. */
  boolean isEmptyingOfMemoryTable() {
    return tokens.size() == 5 && tokens.get(0).is("DELETE") && tokens.get(1).is("FROM");
  }

  private boolean second(String word) {
    return tokens.size() > 1 && tokens.get(1).is(word);
  }

  // CREATE TABLE IF NOT EXISTS is in the log even where it did nothing.
  private Effect create() {
    int target = createdTable();
    return target < 0 || target >= tokens.size() || tokens.get(target).is("IF")
        ? Effect.NONE
        : Effect.REPLACE;
  }

  /** Index of the name behind CREATE TABLE; -1 for any other statement. */
  private int createdTable() {
    int at = tokens.size() > 2 && tokens.get(1).is("OR") ? 3 : 1;
    boolean creates =
        at < tokens.size() && tokens.get(0).is("CREATE") && tokens.get(at).is("TABLE");
    return creates ? at + 1 : -1;
  }

  private boolean isQualified(int name) {
    return name + 1 < tokens.size() && tokens.get(name + 1).text().equals(".");
  }

  private Effect alter() {
    boolean partition = false;
    boolean cascade = false;
    for (int i = 1; i < tokens.size(); i++) {
      Token before = tokens.get(i - 1);
      Token token = tokens.get(i);
      boolean renamesTable =
          before.is("RENAME") && !token.is("COLUMN") && !token.is("INDEX") && !token.is("KEY");
      if (renamesTable) {
        return Effect.REPLACE;
      }
      boolean moves =
          before.is("DROP")
              || before.is("TRUNCATE")
              || before.is("EXCHANGE")
              || before.is("CONVERT")
              || before.is("DISCARD")
              || before.is("IMPORT");
      cascade |= token.is("CASCADE") || (before.is("SET") && token.is("NULL"));
      partition |= moves && (token.is("PARTITION") || token.is("TABLESPACE"));
    }
    if (partition) {
      return Effect.MOVE_PARTITIONS;
    }
    return cascade ? Effect.CASCADE : Effect.NONE;
  }

  private static List<Token> tokens(String sql) {
    List<Token> tokens = new ArrayList<>();
    int at = 0;
    while (at < sql.length()) {
      char c = sql.charAt(at);
      if (c == '`' || c == '"') {
        int end = closing(sql, at, c, false);
        String doubled = String.valueOf(c).repeat(2);
        String name = sql.substring(at + 1, Math.max(at + 1, end - 1));
        tokens.add(new Token(name.replace(doubled, String.valueOf(c)), true));
        at = end;
      } else if (c == '\'') {
        at = closing(sql, at, c, true);
      } else if (startsComment(sql, at)) {
        at = skipComment(sql, at);
      } else if (isWord(c)) {
        int end = at;
        while (end < sql.length() && isWord(sql.charAt(end))) {
          end++;
        }
        tokens.add(new Token(sql.substring(at, end), true));
        at = end;
      } else {
        if (!Character.isWhitespace(c)) {
          tokens.add(new Token(String.valueOf(c), false));
        }
        at++;
      }
    }
    return tokens;
  }

  private static boolean isWord(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '$' || c >= 0x80;
  }

  private static int closing(String sql, int start, char quote, boolean escapes) {
    int at = start + 1;
    while (at < sql.length()) {
      char c = sql.charAt(at);
      if (escapes && c == '\\') {
        at += 2;
      } else if (c != quote) {
        at++;
      } else if (at + 1 < sql.length() && sql.charAt(at + 1) == quote) {
        at += 2;
      } else {
        return at + 1;
      }
    }
    return sql.length();
  }

  private static boolean startsComment(String sql, int at) {
    return sql.startsWith("/*", at)
        || sql.startsWith("-- ", at)
        || sql.charAt(at) == '#'
        || sql.startsWith("*/", at);
  }

  // What stands in a comment that the server executes is looked at like the rest.
  private static int skipComment(String sql, int at) {
    if (sql.startsWith("*/", at)) {
      return at + 2;
    }
    if (sql.startsWith("/*!", at) || sql.startsWith("/*M!", at)) {
      int end = sql.indexOf('!', at) + 1;
      while (end < sql.length() && Character.isDigit(sql.charAt(end))) {
        end++;
      }
      return end;
    }
    int end = sql.indexOf(sql.startsWith("/*", at) ? "*/" : "\n", at + 2);
    return end < 0 ? sql.length() : end + (sql.startsWith("/*", at) ? 2 : 1);
  }
}
