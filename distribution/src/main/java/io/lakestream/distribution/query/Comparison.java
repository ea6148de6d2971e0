package io.lakestream.distribution.query;

/** The comparisons of {@code --where}. */
enum Comparison {
  EQUAL,
  NOT_EQUAL,
  LESS,
  AT_MOST,
  GREATER,
  AT_LEAST;

  /** The comparison an SQL operator stands for, or null where it is none of these. */
  static Comparison of(String operator) {
    return switch (operator) {
      case "=" -> EQUAL;
      case "<>", "!=" -> NOT_EQUAL;
      case "<" -> LESS;
      case "<=" -> AT_MOST;
      case ">" -> GREATER;
      case ">=" -> AT_LEAST;
      default -> null;
    };
  }

  /** What holds exactly where this does not, NULL apart. */
  Comparison negated() {
    return switch (this) {
      case EQUAL -> NOT_EQUAL;
      case NOT_EQUAL -> EQUAL;
      case LESS -> AT_LEAST;
      case AT_MOST -> GREATER;
      case GREATER -> AT_MOST;
      case AT_LEAST -> LESS;
    };
  }

  /** The same comparison with its sides swapped. */
  Comparison flipped() {
    return switch (this) {
      case EQUAL, NOT_EQUAL -> this;
      case LESS -> GREATER;
      case AT_MOST -> AT_LEAST;
      case GREATER -> LESS;
      case AT_LEAST -> AT_MOST;
    };
  }
}
