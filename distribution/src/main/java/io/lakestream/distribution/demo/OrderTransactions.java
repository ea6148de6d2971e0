package io.lakestream.distribution.demo;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Transactions on orders and their lines. Each returns false where there was nothing to change, and
 * leaves the commit to the caller.
 */
final class OrderTransactions {
  private static final String INSERT_LINE =
      "INSERT INTO public.lineitem VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
  private static final List<String> PRIORITIES =
      List.of("1-URGENT", "2-HIGH", "3-MEDIUM", "4-NOT SPECIFIED", "5-LOW");
  private static final List<String> INSTRUCTIONS =
      List.of("DELIVER IN PERSON", "COLLECT COD", "NONE", "TAKE BACK RETURN");
  private static final List<String> MODES =
      List.of("REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB");
  private static final int MAX_LINES = 7;

  private final Sql sql;
  private final Draw draw;

  OrderTransactions(Sql sql, Draw draw) {
    this.sql = sql;
    this.draw = draw;
  }

  boolean newOrder() throws SQLException {
    OptionalLong customer = draw.customer();
    OptionalLong part = draw.part();
    if (customer.isEmpty() || part.isEmpty()) {
      return false;
    }
    long order = nextOrderKey();
    LocalDate ordered = draw.date();
    List<Object[]> lines = lines(order, part.getAsLong(), ordered);
    BigDecimal total =
        lines.stream().map(line -> (BigDecimal) line[5]).reduce(BigDecimal.ZERO, BigDecimal::add);
    sql.update(
        "INSERT INTO public.orders VALUES (?,?,?,?,?,?,?,?,?)",
        order,
        customer.getAsLong(),
        "O",
        total,
        ordered,
        draw.oneOf(PRIORITIES),
        String.format("Clerk#%09d", draw.number(1, 1000)),
        0,
        draw.text(79));
    sql.updateAll(INSERT_LINE, lines);
    pay(customer.getAsLong(), total.negate());
    sql.updateAll(
        "UPDATE public.partsupp SET ps_availqty = greatest(0, ps_availqty - ?) WHERE ps_partkey = ? AND ps_suppkey = ?",
        lines.stream()
            .map(line -> new Object[] {((BigDecimal) line[4]).intValueExact(), line[1], line[2]})
            .toList());
    return true;
  }

  private List<Object[]> lines(long order, long firstPart, LocalDate ordered) throws SQLException {
    List<Object[]> offers =
        sql.rows(
            "SELECT ps_partkey, ps_suppkey, p_retailprice FROM public.partsupp JOIN public.part ON p_partkey = ps_partkey WHERE ps_partkey >= ? ORDER BY ps_partkey, ps_suppkey LIMIT ?",
            firstPart,
            draw.number(1, MAX_LINES));
    List<Object[]> lines = new ArrayList<>();
    for (Object[] offer : offers) {
      BigDecimal quantity = BigDecimal.valueOf(draw.number(1, 50));
      LocalDate shipped = ordered.plusDays(draw.number(1, 121));
      lines.add(
          new Object[] {
            order,
            offer[0],
            offer[1],
            lines.size() + 1,
            quantity,
            quantity.multiply((BigDecimal) offer[2]).setScale(2, RoundingMode.HALF_EVEN),
            BigDecimal.valueOf(draw.number(0, 10), 2),
            BigDecimal.valueOf(draw.number(0, 8), 2),
            "N",
            "O",
            shipped,
            ordered.plusDays(draw.number(30, 90)),
            shipped.plusDays(draw.number(1, 30)),
            draw.oneOf(INSTRUCTIONS),
            draw.oneOf(MODES),
            draw.text(44)
          });
    }
    return lines;
  }

  boolean changeStatus() throws SQLException {
    OptionalLong order = draw.order();
    if (order.isEmpty()) {
      return false;
    }
    String status = draw.oneOf(List.of("O", "P", "F"));
    sql.update(
        "UPDATE public.orders SET o_orderstatus = ? WHERE o_orderkey = ?",
        status,
        order.getAsLong());
    sql.update(
        "UPDATE public.lineitem SET l_linestatus = ?, l_receiptdate = l_shipdate + ? WHERE l_orderkey = ?",
        status.equals("O") ? "O" : "F",
        draw.number(1, 30),
        order.getAsLong());
    return true;
  }

  boolean cancel() throws SQLException {
    OptionalLong order = draw.order();
    if (order.isEmpty()) {
      return false;
    }
    Object[] found =
        sql.firstRow(
                "SELECT o_custkey, o_totalprice FROM public.orders WHERE o_orderkey = ?",
                order.getAsLong())
            .orElseThrow();
    sql.update("DELETE FROM public.lineitem WHERE l_orderkey = ?", order.getAsLong());
    sql.update("DELETE FROM public.orders WHERE o_orderkey = ?", order.getAsLong());
    pay((Long) found[0], (BigDecimal) found[1]);
    return true;
  }

  /**
   * A foreign key holds the lines to their order at every moment, so the order is copied under its
   * new key, the lines move by an update of their own key, and the old order goes.
   */
  boolean moveOrder() throws SQLException {
    OptionalLong order = draw.order();
    if (order.isEmpty()) {
      return false;
    }
    long moved = nextOrderKey();
    sql.update(
        "INSERT INTO public.orders SELECT ?, o_custkey, o_orderstatus, o_totalprice, o_orderdate, o_orderpriority, o_clerk, o_shippriority, o_comment FROM public.orders WHERE o_orderkey = ?",
        moved,
        order.getAsLong());
    sql.update(
        "UPDATE public.lineitem SET l_orderkey = ? WHERE l_orderkey = ?", moved, order.getAsLong());
    sql.update("DELETE FROM public.orders WHERE o_orderkey = ?", order.getAsLong());
    return true;
  }

  boolean reinsertLine() throws SQLException {
    OptionalLong order = draw.order();
    if (order.isEmpty()) {
      return false;
    }
    Optional<Object[]> found =
        sql.firstRow(
            "SELECT * FROM public.lineitem WHERE l_orderkey = ? ORDER BY l_linenumber LIMIT 1",
            order.getAsLong());
    if (found.isEmpty()) {
      return false;
    }
    Object[] line = found.get();
    int times = draw.number(1, 2);
    for (int i = 0; i < times; i++) {
      sql.update(
          "DELETE FROM public.lineitem WHERE l_orderkey = ? AND l_linenumber = ?",
          line[0],
          line[3]);
      line[15] = draw.text(44);
      sql.update(INSERT_LINE, line);
    }
    return true;
  }

  private void pay(long customer, BigDecimal amount) throws SQLException {
    sql.update(
        "UPDATE public.customer SET c_acctbal = c_acctbal + ? WHERE c_custkey = ?",
        amount,
        customer);
  }

  private long nextOrderKey() throws SQLException {
    Object[] row =
        sql.firstRow("SELECT coalesce(max(o_orderkey), 0) + 1 FROM public.orders").orElseThrow();
    return (Long) row[0];
  }
}
