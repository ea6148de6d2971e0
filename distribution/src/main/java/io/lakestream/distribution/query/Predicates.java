package io.lakestream.distribution.query;

import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType;
import io.lakestream.tables.schema.ColumnType.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/** Iceberg predicates on one column with SQL's meaning: none of them selects NULL. */
final class Predicates {
  private Predicates() {}

  static Expression isBoolean(Column column, boolean value) {
    return present(column, Expressions.equal(column.name(), value));
  }

  /**
   * {@code column <comparison> value}.
   *
   * @param value as {@link SqlLiteral#read} returns it for the column
   */
  static Expression compare(Column column, Comparison comparison, Object value) {
    if (value instanceof BigDecimal number) {
      return compareExact(column, comparison, number);
    }
    if (value instanceof Float || value instanceof Double) {
      return compareFloating(column, comparison, (Number) value);
    }
    return present(column, predicate(column, comparison, value));
  }

  /** {@code column IN (values)} where {@code in}, {@code column NOT IN (values)} otherwise. */
  static Expression in(Column column, List<Object> values, boolean in) {
    Expression any = Expressions.alwaysFalse();
    Expression none = Expressions.notNull(column.name());
    for (Object value : values) {
      any = Expressions.or(any, compare(column, Comparison.EQUAL, value));
      none = Expressions.and(none, compare(column, Comparison.NOT_EQUAL, value));
    }
    return in ? any : none;
  }

  /** {@code column LIKE 'start%'}, or {@code 'start'} where not a prefix; negated unless like. */
  static Expression like(Column column, String start, boolean prefix, boolean like) {
    String name = column.name();
    if (prefix) {
      return present(
          column,
          like ? Expressions.startsWith(name, start) : Expressions.notStartsWith(name, start));
    }
    return present(
        column, predicate(column, like ? Comparison.EQUAL : Comparison.NOT_EQUAL, start));
  }

  // A literal with more digits than the column can hold lies between two of its values: compare
  // with the lower one, and never round.
  private static Expression compareExact(Column column, Comparison comparison, BigDecimal value) {
    BigDecimal floor = value.setScale(column.type().scale(), RoundingMode.FLOOR);
    BigDecimal largest = largest(column.type());
    if (floor.compareTo(largest) > 0) {
      return beyond(column, comparison, Comparison.LESS);
    }
    if (floor.compareTo(smallest(column.type(), largest)) < 0) {
      return beyond(column, comparison, Comparison.GREATER);
    }
    boolean exact = floor.compareTo(value) == 0;
    if (!exact && comparison == Comparison.EQUAL) {
      return Expressions.alwaysFalse();
    }
    if (!exact && comparison == Comparison.NOT_EQUAL) {
      return Expressions.notNull(column.name());
    }
    Comparison meant =
        exact
            ? comparison
            : switch (comparison) {
              case GREATER, AT_LEAST -> Comparison.GREATER;
              default -> Comparison.AT_MOST;
            };
    return present(column, predicate(column, meant, number(column.type(), floor)));
  }

  // Every value of the column lies on one side of the literal.
  private static Expression beyond(Column column, Comparison comparison, Comparison side) {
    boolean holds =
        switch (comparison) {
          case EQUAL -> false;
          case NOT_EQUAL -> true;
          case LESS, AT_MOST -> side == Comparison.LESS;
          case GREATER, AT_LEAST -> side == Comparison.GREATER;
        };
    return holds ? Expressions.notNull(column.name()) : Expressions.alwaysFalse();
  }

  private static BigDecimal largest(ColumnType type) {
    return switch (type.kind()) {
      case SMALLINT -> BigDecimal.valueOf(Short.MAX_VALUE);
      case INT -> BigDecimal.valueOf(Integer.MAX_VALUE);
      case BIGINT -> BigDecimal.valueOf(Long.MAX_VALUE);
      default ->
          new BigDecimal(
              BigInteger.TEN.pow(type.precision()).subtract(BigInteger.ONE), type.scale());
    };
  }

  private static BigDecimal smallest(ColumnType type, BigDecimal largest) {
    return type.kind() == Kind.DECIMAL
        ? largest.negate()
        : largest.negate().subtract(BigDecimal.ONE);
  }

  private static Object number(ColumnType type, BigDecimal value) {
    return switch (type.kind()) {
      case SMALLINT, INT -> value.intValueExact();
      case BIGINT -> value.longValueExact();
      default -> value;
    };
  }

  // SQL holds 0 and -0 for equal, Iceberg orders -0 before 0.
  private static Expression compareFloating(Column column, Comparison comparison, Number value) {
    if (value.doubleValue() != 0) {
      return present(column, predicate(column, comparison, value));
    }
    boolean isFloat = value instanceof Float;
    Object zero = isFloat ? (Object) 0.0f : (Object) 0.0d;
    Object minusZero = isFloat ? (Object) (-0.0f) : (Object) (-0.0d);
    List<Object> zeros = new ArrayList<>(List.of(zero, minusZero));
    return present(
        column,
        switch (comparison) {
          case EQUAL -> Expressions.in(column.name(), zeros);
          case NOT_EQUAL -> Expressions.notIn(column.name(), zeros);
          case LESS, AT_LEAST -> predicate(column, comparison, minusZero);
          case GREATER, AT_MOST -> predicate(column, comparison, zero);
        });
  }

  private static Expression present(Column column, Expression predicate) {
    return Expressions.and(Expressions.notNull(column.name()), predicate);
  }

  private static Expression predicate(Column column, Comparison comparison, Object value) {
    String name = column.name();
    return switch (comparison) {
      case EQUAL -> Expressions.equal(name, value);
      case NOT_EQUAL -> Expressions.notEqual(name, value);
      case LESS -> Expressions.lessThan(name, value);
      case AT_MOST -> Expressions.lessThanOrEqual(name, value);
      case GREATER -> Expressions.greaterThan(name, value);
      case AT_LEAST -> Expressions.greaterThanOrEqual(name, value);
    };
  }
}
