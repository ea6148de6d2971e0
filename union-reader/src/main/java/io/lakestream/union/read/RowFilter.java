package io.lakestream.union.read;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.ColumnType.Kind;
import io.lakestream.tables.schema.TableDefinition;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.expressions.BoundPredicate;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ExpressionVisitors;
import org.apache.iceberg.expressions.ExpressionVisitors.ExpressionVisitor;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.expressions.NamedReference;
import org.apache.iceberg.expressions.UnboundPredicate;

/**
 * A filter with one meaning for lake rows and tail rows: SQL's.
 *
 * <p>Iceberg alone has two. Its evaluator orders NULL before every value, so that {@code a < 5}
 * keeps NULL, where its file statistics may skip the same row; and its statistics leave NaN out,
 * which PostgreSQL and the evaluator order last. So every comparison also asks for NOT NULL, and
 * comparisons of floating-point columns are not pushed down to files.
 *
 * @param exact what decides about a row
 * @param pushed what files are skipped by: keeps at least the rows that {@code exact} keeps
 * @param columns the columns it needs
 */
record RowFilter(Expression exact, Expression pushed, Set<String> columns) {
  /** Throws INVALID_ARGUMENT where the filter names a column that the table does not have. */
  static RowFilter of(Expression filter, TableDefinition definition) {
    try {
      Expression positive = Expressions.rewriteNot(filter);
      Set<String> columns = new LinkedHashSet<>();
      Expression exact = ExpressionVisitors.visit(positive, new NullRejecting(definition, columns));
      Expression pushed = ExpressionVisitors.visit(exact, new Pushable(definition));
      return new RowFilter(exact, pushed, columns);
    } catch (UnsupportedOperationException e) {
      throw new LakestreamException(
          e, ErrorCode.INVALID_ARGUMENT, "Cannot filter by %s: %s", filter, e.getMessage());
    }
  }

  boolean keepsAll() {
    return exact.op() == Expression.Operation.TRUE;
  }

  private abstract static class Rebuilding extends ExpressionVisitor<Expression> {
    @Override
    public Expression alwaysTrue() {
      return Expressions.alwaysTrue();
    }

    @Override
    public Expression alwaysFalse() {
      return Expressions.alwaysFalse();
    }

    @Override
    public Expression and(Expression left, Expression right) {
      return Expressions.and(left, right);
    }

    @Override
    public Expression or(Expression left, Expression right) {
      return Expressions.or(left, right);
    }

    @Override
    public Expression not(Expression child) {
      throw new UnsupportedOperationException("NOT is not rewritten");
    }

    @Override
    public <T> Expression predicate(BoundPredicate<T> predicate) {
      throw new UnsupportedOperationException("it is bound to another schema");
    }
  }

  private static final class NullRejecting extends Rebuilding {
    private final TableDefinition definition;
    private final Set<String> columns;

    NullRejecting(TableDefinition definition, Set<String> columns) {
      this.definition = definition;
      this.columns = columns;
    }

    @Override
    public <T> Expression predicate(UnboundPredicate<T> predicate) {
      String column = predicate.ref().name();
      definition.indexOf(column);
      columns.add(column);
      return switch (predicate.op()) {
        case IS_NULL, NOT_NULL -> predicate;
        default -> Expressions.and(Expressions.notNull(column), withUnsignedZero(predicate));
      };
    }

    // Iceberg orders -0.0 before 0.0; in SQL they are one number. Only a floating-point column has
    // a negative zero, and every other one reads 0.0 as its own zero.
    private Expression withUnsignedZero(UnboundPredicate<?> predicate) {
      String column = predicate.ref().name();
      boolean comparesColumn = predicate.term() instanceof NamedReference;
      if (!comparesColumn || !isFloating(definition, column)) {
        return predicate;
      }
      return switch (predicate.op()) {
        case IN -> Expressions.in(column, bothZeros(predicate.literals()));
        case NOT_IN -> Expressions.notIn(column, bothZeros(predicate.literals()));
        case EQ -> Expressions.in(column, bothZeros(List.of(predicate.literal())));
        case NOT_EQ -> Expressions.notIn(column, bothZeros(List.of(predicate.literal())));
        case LT, GT_EQ -> moved(predicate, -0.0);
        case GT, LT_EQ -> moved(predicate, 0.0);
        default -> predicate;
      };
    }

    private static Expression moved(UnboundPredicate<?> predicate, double zero) {
      return isZero(predicate.literal().value())
          ? Expressions.predicate(predicate.op(), predicate.ref().name(), zero)
          : predicate;
    }

    private static List<Object> bothZeros(List<? extends Literal<?>> literals) {
      List<Object> values = new ArrayList<>();
      for (Literal<?> literal : literals) {
        if (isZero(literal.value())) {
          values.add(-0.0);
          values.add(0.0);
        } else {
          values.add(literal.value());
        }
      }
      return values;
    }

    private static boolean isZero(Object value) {
      return value instanceof Number number && number.doubleValue() == 0;
    }
  }

  private static boolean isFloating(TableDefinition definition, String column) {
    Kind kind = definition.columns().get(definition.indexOf(column)).type().kind();
    return kind == Kind.FLOAT || kind == Kind.DOUBLE;
  }

  private static final class Pushable extends Rebuilding {
    private final TableDefinition definition;

    Pushable(TableDefinition definition) {
      this.definition = definition;
    }

    @Override
    public <T> Expression predicate(UnboundPredicate<T> predicate) {
      boolean floating = isFloating(definition, predicate.ref().name());
      boolean aboutNull =
          predicate.op() == Expression.Operation.IS_NULL
              || predicate.op() == Expression.Operation.NOT_NULL;
      return floating && !aboutNull ? Expressions.alwaysTrue() : predicate;
    }
  }
}
