package io.lakestream.distribution.demo;

import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Transactions on customers, parts, suppliers and their offers. Each returns false where there was
 * nothing to change, and leaves the commit to the caller.
 */
final class TradeTransactions {
  private static final int TRIES = 5;

  private final Sql sql;
  private final Draw draw;

  TradeTransactions(Sql sql, Draw draw) {
    this.sql = sql;
    this.draw = draw;
  }

  boolean transfer() throws SQLException {
    OptionalLong from = draw.customer();
    for (int i = 0; from.isPresent() && i < TRIES; i++) {
      OptionalLong to = draw.customer();
      if (to.isPresent() && to.getAsLong() != from.getAsLong()) {
        BigDecimal amount = draw.amount(500);
        String pay = "UPDATE public.customer SET c_acctbal = c_acctbal + ? WHERE c_custkey = ?";
        sql.update(pay, amount.negate(), from.getAsLong());
        sql.update(pay, amount, to.getAsLong());
        return true;
      }
    }
    return false;
  }

  boolean changePrice() throws SQLException {
    OptionalLong part = draw.part();
    if (part.isEmpty()) {
      return false;
    }
    BigDecimal price = draw.amount(2000);
    sql.update(
        "UPDATE public.part SET p_retailprice = ? WHERE p_partkey = ?", price, part.getAsLong());
    sql.update(
        "UPDATE public.partsupp SET ps_supplycost = round(? * (1 + ps_suppkey % 7) / 10, 2) WHERE ps_partkey = ?",
        price, part.getAsLong());
    return true;
  }

  /** Only an offer that no line points to may change its key or go: one is made where none is. */
  boolean moveOffer() throws SQLException {
    // Few parts, so that an offer made by one transaction is soon found idle by another.
    Optional<Object[]> part =
        sql.firstRow(
            "SELECT p_partkey FROM public.part ORDER BY p_partkey OFFSET ? LIMIT 1",
            draw.number(0, 19));
    return part.isPresent() && moveOfferOf((Long) part.get()[0]);
  }

  private boolean moveOfferOf(long part) throws SQLException {
    Optional<Object[]> free =
        sql.firstRow(
            "SELECT s_suppkey FROM public.supplier WHERE NOT EXISTS (SELECT FROM public.partsupp WHERE ps_partkey = ? AND ps_suppkey = s_suppkey) ORDER BY s_suppkey OFFSET ? LIMIT 1",
            part,
            draw.number(0, 20));
    Optional<Object[]> idle =
        sql.firstRow(
            "SELECT ps_suppkey FROM public.partsupp WHERE ps_partkey = ? AND NOT EXISTS (SELECT FROM public.lineitem WHERE l_partkey = ps_partkey AND l_suppkey = ps_suppkey) ORDER BY ps_suppkey LIMIT 1",
            part);
    if (idle.isPresent() && (free.isEmpty() || draw.number(1, 4) == 1)) {
      return sql.update(
              "DELETE FROM public.partsupp WHERE ps_partkey = ? AND ps_suppkey = ?",
              part,
              idle.get()[0])
          > 0;
    }
    if (idle.isPresent()) {
      return sql.update(
              "UPDATE public.partsupp SET ps_suppkey = ? WHERE ps_partkey = ? AND ps_suppkey = ?",
              free.get()[0],
              part,
              idle.get()[0])
          > 0;
    }
    if (free.isEmpty()) {
      return false;
    }
    sql.update(
        "INSERT INTO public.partsupp VALUES (?, ?, ?, ?, ?)",
        part,
        free.get()[0],
        draw.number(1, 9999),
        draw.amount(1000),
        draw.text(199));
    return true;
  }

  boolean changeText() throws SQLException {
    OptionalLong customer = draw.customer();
    OptionalLong supplier = draw.existing("supplier", "s_suppkey");
    OptionalLong nation = draw.existing("nation", "n_nationkey");
    OptionalLong region = draw.existing("region", "r_regionkey");
    if (customer.isEmpty() || supplier.isEmpty() || nation.isEmpty() || region.isEmpty()) {
      return false;
    }
    sql.update(
        "UPDATE public.customer SET c_address = ?, c_comment = ? WHERE c_custkey = ?",
        draw.text(40),
        draw.number(1, 5) == 1 ? "" : draw.text(117),
        customer.getAsLong());
    sql.update(
        "UPDATE public.supplier SET s_address = ? WHERE s_suppkey = ?",
        draw.text(40),
        supplier.getAsLong());
    sql.update(
        "UPDATE public.nation SET n_comment = ? WHERE n_nationkey = ?",
        draw.text(152),
        nation.getAsLong());
    sql.update(
        "UPDATE public.region SET r_comment = ? WHERE r_regionkey = ?",
        draw.text(152),
        region.getAsLong());
    return true;
  }
}
