package io.lakestream.distribution.demo;

import static io.lakestream.tables.error.Checks.checkArgument;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;

/**
 * A random sequence of transactions: the same seed on the same rows gives the same changes. For one
 * thread.
 */
final class TransactionStream {
  // SQLSTATE classes: integrity constraint violation, transaction rollback.
  private static final String CONSTRAINT = "23";
  private static final String ROLLBACK = "40";

  private final Connection connection;
  private final Map<Operation, Integer> mix;
  private final Draw draw;
  private final OrderTransactions orders;
  private final TradeTransactions trade;

  /**
   * @param connection used by this stream alone, left in manual commit
   * @param mix weight of each operation, 0 or greater, at least one of them greater
   */
  TransactionStream(Connection connection, long seed, Map<Operation, Integer> mix)
      throws SQLException {
    checkArgument(
        mix.values().stream().mapToInt(Integer::intValue).sum() > 0,
        "Invalid workload: every operation has weight 0");
    connection.setAutoCommit(false);
    Sql sql = new Sql(connection);
    this.connection = connection;
    this.mix = new EnumMap<>(mix);
    this.draw = new Draw(seed, sql);
    this.orders = new OrderTransactions(sql, draw);
    this.trade = new TradeTransactions(sql, draw);
  }

  /**
   * Runs the next transaction and commits it.
   *
   * @return true where it changed something; false where it found nothing to change, or another
   *     writer of the database stood in its way and it was rolled back
   */
  boolean next() throws SQLException {
    boolean committed = false;
    try {
      boolean changed = run(draw.operation(mix));
      connection.commit();
      committed = true;
      return changed;
    } catch (SQLException e) {
      if (isConflict(e)) {
        return false;
      }
      throw e;
    } finally {
      if (!committed && !connection.isClosed()) {
        connection.rollback();
      }
    }
  }

  private boolean run(Operation operation) throws SQLException {
    return switch (operation) {
      case NEW_ORDER -> orders.newOrder();
      case CHANGE_STATUS -> orders.changeStatus();
      case CANCEL -> orders.cancel();
      case MOVE_ORDER -> orders.moveOrder();
      case REINSERT_LINE -> orders.reinsertLine();
      case TRANSFER -> trade.transfer();
      case CHANGE_PRICE -> trade.changePrice();
      case MOVE_OFFER -> trade.moveOffer();
      case CHANGE_TEXT -> trade.changeText();
    };
  }

  private static boolean isConflict(SQLException e) {
    String state = String.valueOf(e.getSQLState());
    return state.startsWith(CONSTRAINT) || state.startsWith(ROLLBACK);
  }
}
