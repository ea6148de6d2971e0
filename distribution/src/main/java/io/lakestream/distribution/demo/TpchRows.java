package io.lakestream.distribution.demo;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.Distributions;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.NationGenerator;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.PartGenerator;
import io.trino.tpch.PartSupplier;
import io.trino.tpch.PartSupplierGenerator;
import io.trino.tpch.RegionGenerator;
import io.trino.tpch.SupplierGenerator;
import io.trino.tpch.TextPool;
import io.trino.tpch.TpchEntity;
import java.util.HashSet;
import java.util.Set;

/** The rows of TPC-H at one scale, as lines of {@code COPY} with {@code |} between the columns. */
final class TpchRows {
  // What the comments are cut from. The specification's own pool has 300 MB, takes 5 s to make and
  // would stay in memory: the comments differ, nothing else does.
  private static final int TEXT_POOL_BYTES = 8 * 1024 * 1024;

  private final double scale;
  private final Distributions distributions = Distributions.getDefaultDistributions();
  private final TextPool text = new TextPool(TEXT_POOL_BYTES, distributions);

  TpchRows(double scale) {
    this.scale = scale;
  }

  /** What takes one line after the other. */
  @FunctionalInterface
  interface Sink<E extends Exception> {
    void accept(String line) throws E;
  }

  <E extends Exception> void forEach(String table, Sink<E> sink) throws E {
    OfferFilter offers = new OfferFilter();
    for (TpchEntity row : generator(table)) {
      if (!(row instanceof PartSupplier offer) || offers.isNew(offer)) {
        String line = row.toLine();
        sink.accept(line.substring(0, line.length() - 1)); // it ends with a delimiter
      }
    }
  }

  private Iterable<? extends TpchEntity> generator(String table) {
    return switch (table) {
      case "region" -> new RegionGenerator(distributions, text);
      case "nation" -> new NationGenerator(distributions, text);
      case "part" -> new PartGenerator(scale, 1, 1, distributions, text);
      case "supplier" -> new SupplierGenerator(scale, 1, 1, distributions, text);
      case "partsupp" -> new PartSupplierGenerator(scale, 1, 1, text);
      case "customer" -> new CustomerGenerator(scale, 1, 1, distributions, text);
      case "orders" -> new OrderGenerator(scale, 1, 1, distributions, text);
      case "lineitem" -> new LineItemGenerator(scale, 1, 1, distributions, text);
      default -> throw new LakestreamException(ErrorCode.INTERNAL, "TPC-H has no table %s", table);
    };
  }

  /**
   * Leaves out offers that come twice. The rule that gives each part four suppliers gives it one of
   * them twice at some small scales, 0.015 for example, where suppliers are few.
   */
  private static final class OfferFilter {
    private final Set<Long> suppliers = new HashSet<>();
    private long part = -1;

    boolean isNew(PartSupplier offer) {
      if (offer.getPartKey() != part) {
        part = offer.getPartKey();
        suppliers.clear();
      }
      return suppliers.add(offer.getSupplierKey());
    }
  }
}
