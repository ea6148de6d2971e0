package io.lakestream.distribution.query;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.lakestream.tables.schema.Column;
import io.lakestream.tables.schema.ColumnType.Kind;
import io.lakestream.tables.schema.TableDefinition;
import java.util.ArrayList;
import java.util.List;
import net.sf.jsqlparser.JSQLParserException;
import net.sf.jsqlparser.expression.BinaryExpression;
import net.sf.jsqlparser.expression.NotExpression;
import net.sf.jsqlparser.expression.operators.conditional.AndExpression;
import net.sf.jsqlparser.expression.operators.conditional.OrExpression;
import net.sf.jsqlparser.expression.operators.relational.Between;
import net.sf.jsqlparser.expression.operators.relational.ComparisonOperator;
import net.sf.jsqlparser.expression.operators.relational.ExpressionList;
import net.sf.jsqlparser.expression.operators.relational.InExpression;
import net.sf.jsqlparser.expression.operators.relational.IsBooleanExpression;
import net.sf.jsqlparser.expression.operators.relational.IsNullExpression;
import net.sf.jsqlparser.expression.operators.relational.LikeExpression;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/**
 * Turns the SQL condition of {@code --where} into an Iceberg expression with SQL's meaning of NULL:
 * a comparison with NULL selects nothing, and neither does its negation.
 *
 * <p>Iceberg's own predicates see that differently ({@code a <> 1} and {@code a < 1} hold for
 * NULL), so every comparison comes with "is not null", and NOT is pushed down to the comparisons.
 * Texts compare by code point, whatever the collation of the source.
 */
final class WhereClause {
  private static final String KNOWN =
      "Known are =, <>, <, <=, >, >=, AND, OR, NOT, IN, BETWEEN, IS [NOT] NULL and LIKE 'abc%%'.";

  private final TableDefinition table;

  private WhereClause(TableDefinition table) {
    this.table = table;
  }

  /**
   * Parses a condition.
   *
   * @throws LakestreamException INVALID_ARGUMENT that names the part that is not understood
   */
  static Expression parse(String condition, TableDefinition table) {
    try {
      return new WhereClause(table)
          .translate(CCJSqlParserUtil.parseCondExpression(condition, false), false);
    } catch (JSQLParserException e) {
      throw new LakestreamException(
          e,
          ErrorCode.INVALID_ARGUMENT,
          "Cannot read --where \"%s\": it is not an SQL condition (%s). " + KNOWN,
          condition,
          firstLine(e));
    }
  }

  private static String firstLine(JSQLParserException e) {
    Throwable deepest = e;
    while (deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return String.valueOf(deepest.getMessage()).strip().lines().findFirst().orElse("no reason");
  }

  private Expression translate(net.sf.jsqlparser.expression.Expression part, boolean negated) {
    if (part instanceof AndExpression and) {
      return join(and, !negated, negated);
    }
    if (part instanceof OrExpression or) {
      return join(or, negated, negated);
    }
    if (part instanceof NotExpression not) {
      return translate(not.getExpression(), !negated);
    }
    if (part instanceof ExpressionList<?> list && list.size() == 1) {
      return translate(list.get(0), negated);
    }
    if (part instanceof ComparisonOperator comparison) {
      return compare(comparison, negated);
    }
    if (part instanceof Between between) {
      return between(between, negated);
    }
    if (part instanceof InExpression in) {
      return in(in, negated);
    }
    if (part instanceof LikeExpression like) {
      return like(like, negated);
    }
    return translateTest(part, negated);
  }

  private Expression translateTest(net.sf.jsqlparser.expression.Expression part, boolean negated) {
    if (part instanceof IsNullExpression isNull) {
      String name = column(isNull.getLeftExpression()).name();
      return isNull.isNot() == negated ? Expressions.isNull(name) : Expressions.notNull(name);
    }
    if (part instanceof IsBooleanExpression is) {
      Expression holds = Predicates.isBoolean(booleanColumn(is.getLeftExpression()), is.isTrue());
      return is.isNot() == negated ? holds : holds.negate();
    }
    if (part instanceof net.sf.jsqlparser.schema.Column) {
      return Predicates.isBoolean(booleanColumn(part), !negated);
    }
    throw unknown(part);
  }

  private Expression join(BinaryExpression part, boolean and, boolean negated) {
    Expression left = translate(part.getLeftExpression(), negated);
    Expression right = translate(part.getRightExpression(), negated);
    return and ? Expressions.and(left, right) : Expressions.or(left, right);
  }

  private Expression compare(ComparisonOperator part, boolean negated) {
    Comparison comparison = Comparison.of(part.getStringExpression());
    if (comparison == null) {
      throw unknown(part);
    }
    boolean columnLeft = !(part.getRightExpression() instanceof net.sf.jsqlparser.schema.Column);
    Column column = column(columnLeft ? part.getLeftExpression() : part.getRightExpression());
    var literal = columnLeft ? part.getRightExpression() : part.getLeftExpression();
    Comparison meant = columnLeft ? comparison : comparison.flipped();
    return Predicates.compare(
        column, negated ? meant.negated() : meant, SqlLiteral.read(literal, column));
  }

  private Expression between(Between part, boolean negated) {
    Column column = column(part.getLeftExpression());
    Object start = SqlLiteral.read(part.getBetweenExpressionStart(), column);
    Object end = SqlLiteral.read(part.getBetweenExpressionEnd(), column);
    return part.isNot() == negated
        ? Expressions.and(
            Predicates.compare(column, Comparison.AT_LEAST, start),
            Predicates.compare(column, Comparison.AT_MOST, end))
        : Expressions.or(
            Predicates.compare(column, Comparison.LESS, start),
            Predicates.compare(column, Comparison.GREATER, end));
  }

  private Expression in(InExpression part, boolean negated) {
    Column column = column(part.getLeftExpression());
    if (!(part.getRightExpression() instanceof ExpressionList<?> list)) {
      throw unknown(part);
    }
    List<Object> values = new ArrayList<>();
    for (net.sf.jsqlparser.expression.Expression literal : list) {
      values.add(SqlLiteral.read(literal, column));
    }
    return Predicates.in(column, values, part.isNot() == negated);
  }

  private Expression like(LikeExpression part, boolean negated) {
    Column column = column(part.getLeftExpression());
    boolean plain =
        part.getLikeKeyWord() == LikeExpression.KeyWord.LIKE && part.getEscape() == null;
    if (!plain || column.type().kind() != Kind.STRING) {
      throw unknown(part);
    }
    String pattern = SqlLiteral.text(part.getRightExpression(), column);
    boolean prefix = pattern.endsWith("%");
    String start = prefix ? pattern.substring(0, pattern.length() - 1) : pattern;
    if (start.matches("(?s).*[%_\\\\].*")) {
      throw new LakestreamException(
          ErrorCode.INVALID_ARGUMENT,
          "Cannot use %s in --where: LIKE knows a text with one %% at its end, as in LIKE 'abc%%'",
          part);
    }
    return Predicates.like(column, start, prefix, part.isNot() == negated);
  }

  private Column booleanColumn(net.sf.jsqlparser.expression.Expression part) {
    Column column = column(part);
    if (column.type().kind() != Kind.BOOLEAN) {
      throw unknown(part);
    }
    return column;
  }

  private Column column(net.sf.jsqlparser.expression.Expression part) {
    if (!(part instanceof net.sf.jsqlparser.schema.Column name) || name.getTable() != null) {
      throw new LakestreamException(
          ErrorCode.INVALID_ARGUMENT,
          "Cannot use %s in --where: each comparison needs a column of %s by its plain name, and a literal",
          part,
          table.name().display());
    }
    return ColumnChoice.inSql(table, name.getColumnName());
  }

  private static LakestreamException unknown(net.sf.jsqlparser.expression.Expression part) {
    return new LakestreamException(
        ErrorCode.INVALID_ARGUMENT, "Cannot use %s in --where. " + KNOWN, part);
  }
}
