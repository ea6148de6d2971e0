package io.lakestream.distribution.laptop;

/** Where a start and a stop say what they are doing. */
@FunctionalInterface
public interface Progress {
  /** Shows one line, without a line break. */
  void line(String text);
}
