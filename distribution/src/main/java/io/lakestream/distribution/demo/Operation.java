package io.lakestream.distribution.demo;

import java.util.EnumMap;
import java.util.Map;

/**
 * The kinds of transactions of the workload. Each is one real transaction, most over several
 * tables.
 */
public enum Operation {
  /** An order with 1 to 7 lines; the customer pays, the stock goes down. */
  NEW_ORDER(30),
  /** An order and its lines go on to another status. */
  CHANGE_STATUS(18),
  /** The lines and the order are deleted; the customer gets the money back. */
  CANCEL(24),
  /** An order and its lines get another key. */
  MOVE_ORDER(4),
  /** Money goes from one customer to another: the sum over both never changes. */
  TRANSFER(12),
  /** A part and what its suppliers ask for it get other prices. */
  CHANGE_PRICE(6),
  /** A line is deleted and inserted again under the same key, once or twice in one transaction. */
  REINSERT_LINE(3),
  /** A supplier's offer without orders is added, moved to another key, or withdrawn. */
  MOVE_OFFER(2),
  /** An address, phone or remark changes: also in the tables that otherwise stand still. */
  CHANGE_TEXT(1);

  private final int weight;

  Operation(int weight) {
    this.weight = weight;
  }

  /** How often each comes up, relative to the others. */
  public static Map<Operation, Integer> defaultMix() {
    Map<Operation, Integer> mix = new EnumMap<>(Operation.class);
    for (Operation operation : values()) {
      mix.put(operation, operation.weight);
    }
    return mix;
  }
}
