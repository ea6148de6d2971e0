package io.lakestream.benchmarks;

import java.util.List;

/** A set of figures that are measured together. */
public interface Suite {
  /** The name that {@code bench run} takes. */
  String name();

  /** One line for {@code bench list}. */
  String description();

  /**
   * Measures.
   *
   * @param run where to work and how to report progress
   * @return the figures, in the order to print them; only after the answer was checked
   * @throws Exception where a part could not be measured, or its answer was wrong: there is no
   *     figure without a right answer
   */
  List<Figure> run(BenchRun run) throws Exception;
}
