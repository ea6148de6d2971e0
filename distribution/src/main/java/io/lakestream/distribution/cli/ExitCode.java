package io.lakestream.distribution.cli;

import io.lakestream.tables.error.ErrorKind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** What {@code lakestream} tells the shell. Scripts rely on these numbers. */
public final class ExitCode {
  public static final int OK = 0;

  /**
   * A check ran and failed: {@code verify} found differences, {@code cdc check} what is missing.
   */
  public static final int DIFFERENCES = 1;

  /** The command line was not understood. */
  public static final int USAGE = 2;

  /** Something the caller can mend: configuration, arguments, data folder, ports. */
  public static final int USER = 3;

  /** A system beside Lakestream failed or took too long: the source, Fluss, the lake. */
  public static final int EXTERNAL = 4;

  /** A fault in Lakestream. */
  public static final int INTERNAL = 5;

  /** Every code with its meaning, in order: part of each command's help text. */
  public static final Map<String, String> DESCRIPTIONS = describe();

  private ExitCode() {}

  /** The exit code for an error of this kind. */
  public static int of(ErrorKind kind) {
    return switch (kind) {
      case USER -> USER;
      case EXTERNAL -> EXTERNAL;
      case INTERNAL -> INTERNAL;
    };
  }

  private static Map<String, String> describe() {
    Map<String, String> codes = new LinkedHashMap<>();
    codes.put("0", "done");
    codes.put("1", "differences were found, or something is missing (cdc check)");
    codes.put("2", "the command line was not understood");
    codes.put("3", "something the caller can mend: configuration, arguments, data folder, ports");
    codes.put("4", "a system beside Lakestream failed or took too long: source, Fluss, lake");
    codes.put("5", "a fault in Lakestream");
    codes.put("130", "stopped by Ctrl-C");
    codes.put("143", "stopped by SIGTERM");
    return Collections.unmodifiableMap(codes);
  }
}
