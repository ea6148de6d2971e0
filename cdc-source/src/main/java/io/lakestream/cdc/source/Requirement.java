package io.lakestream.cdc.source;

import io.lakestream.tables.error.ErrorCode;
import io.lakestream.tables.error.LakestreamException;
import java.util.Optional;

/**
 * One thing that capture needs of a source, and whether it is there.
 *
 * @param name what it is about, for example {@code wal_level} or {@code table public.orders}
 * @param required what has to be
 * @param found what is
 * @param fix what mends it, SQL where there is some; empty where it is met
 * @param failure how capture would fail over it; empty where it is met
 */
public record Requirement(
    String name, String required, String found, String fix, Optional<LakestreamException> failure) {
  /** One that is met. */
  public static Requirement met(String name, String required, String found) {
    return new Requirement(name, required, found, "", Optional.empty());
  }

  /** One that is not. */
  public static Requirement missing(
      String name, String required, String found, String fix, LakestreamException failure) {
    return new Requirement(name, required, found, fix, Optional.of(failure));
  }

  /**
   * What a source's check finds.
   *
   * @param code of the failure where it is not met
   * @param problem as the middle of a sentence
   */
  public static Requirement of(
      String source,
      boolean met,
      ErrorCode code,
      String name,
      String required,
      String found,
      String problem,
      String fix) {
    return met
        ? met(name, required, found)
        : missing(
            name,
            required,
            found,
            fix,
            new LakestreamException(
                code, "Cannot capture source %s: %s. %s", source, problem, fix));
  }

  public boolean isMet() {
    return failure.isEmpty();
  }

  /** Throws {@link #failure} where it is not met. */
  public void check() {
    failure.ifPresent(
        e -> {
          throw e;
        });
  }
}
